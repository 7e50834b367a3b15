//! Tool calls that wait for their results, as they are now and as they were some lines ago.

use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub struct OpenCalls {
    /// The tool of each call, by its id.
    tools: BTreeMap<String, String>,
    /// For each change its position in the file, the call, and the tool that the call had before.
    changes: Vec<(u64, String, Option<String>)>,
}

impl OpenCalls {
    pub fn new(calls: &[(String, String)]) -> Self {
        Self {
            tools: calls.iter().cloned().collect(),
            changes: Vec::new(),
        }
    }

    pub fn open(&mut self, position: u64, id: &str, tool: &str) {
        let before = self.tools.insert(id.to_owned(), tool.to_owned());
        self.changes.push((position, id.to_owned(), before));
    }

    /// The result of a call is here. Returns its tool, if the call is known.
    pub fn close(&mut self, position: u64, id: &str) -> Option<&str> {
        let (id, tool) = self.tools.remove_entry(id)?;
        self.changes.push((position, id, Some(tool)));
        self.changes.last()?.2.as_deref()
    }

    /// No earlier state than the present one will be asked for.
    pub fn settle(&mut self) {
        self.changes.clear();
    }

    /// The calls that were open at `position`.
    pub fn at(mut self, position: u64) -> Vec<(String, String)> {
        while let Some((at, id, before)) = self.changes.pop()
            && at >= position
        {
            match before {
                Some(tool) => self.tools.insert(id, tool),
                None => self.tools.remove(&id),
            };
        }
        self.tools.into_iter().collect()
    }
}
