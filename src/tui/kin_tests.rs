use super::{Families, Family, Kin};
use crate::search::{Hit, RowId, Tier};

fn hits(rows: &[u32]) -> Vec<Hit> {
    let hit = |row: &u32| Hit {
        row: RowId(*row),
        tier: Tier::Substring,
    };
    rows.iter().map(hit).collect()
}

fn rows(hits: &[Hit]) -> Vec<u32> {
    hits.iter().map(|hit| hit.row.0).collect()
}

#[test]
fn the_first_of_a_family_stands_for_it_and_opens() {
    let mut families = Families::default();
    let found = hits(&[5, 1, 2, 3, 4]);
    assert_eq!(rows(&families.group(&found)), [5, 1, 2, 3, 4]);
    families.set(&[
        (RowId(1), Family(9)),
        (RowId(3), Family(9)),
        (RowId(4), Family(7)),
    ]);
    assert_eq!(rows(&families.group(&found)), [5, 1, 2, 4]);
    assert_eq!(
        families.kin(RowId(1)),
        Some(Kin::Head {
            others: 1,
            open: false
        })
    );
    // The only one of its family that was found is a row like any other.
    assert_eq!(families.kin(RowId(4)), None);
    families.toggle(Family(9));
    assert_eq!(rows(&families.group(&found)), [5, 1, 3, 2, 4]);
    assert_eq!(families.kin(RowId(3)), Some(Kin::Relative));
    assert!(families.has_open());
    families.toggle(Family(9));
    assert_eq!(rows(&families.group(&found)), [5, 1, 2, 4]);
}
