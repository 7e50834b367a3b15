use super::Column;

#[test]
fn what_is_as_usual_takes_no_room() {
    let mut column = Column::new(0_u64);
    column.set(1000, 0);
    assert_eq!((column.get(1000), column.footprint()), (0, 0));
    column.set(2, 7);
    column.set(9, 0);
    assert_eq!((column.get(1), column.get(2), column.get(9)), (0, 7, 0));
    assert_eq!(column.footprint(), 24);
    column.set(2, 0);
    assert_eq!(column.get(2), 0);
}
