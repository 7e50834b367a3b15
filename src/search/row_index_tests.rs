use super::RowIndex;
use crate::search::RowId;

#[test]
fn a_row_has_the_slot_that_it_was_given_last() {
    let mut index = RowIndex::default();
    assert_eq!(index.insert(RowId(3), 0), None);
    assert_eq!(index.insert(RowId(1), 1), None);
    assert_eq!(index.insert(RowId(3), 2), Some(0));
    assert_eq!(
        (index.get(RowId(3)), index.get(RowId(1))),
        (Some(2), Some(1))
    );
    assert_eq!((index.get(RowId(0)), index.get(RowId(9))), (None, None));
    assert_eq!(index.len(), 2);
    assert_eq!(
        (index.remove(RowId(3)), index.remove(RowId(3))),
        (Some(2), None)
    );
    assert_eq!((index.remove(RowId(9)), index.len()), (None, 1));
}
