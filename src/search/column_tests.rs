use super::Column;

#[test]
fn what_is_as_usual_takes_no_room() {
    let mut column = Column::default();
    column.set(1000, 0);
    assert_eq!((column.get(1000), column.values.len()), (0, 0));
    column.set(2, 7);
    column.set(9, 0);
    assert_eq!((column.get(1), column.get(2), column.get(9)), (0, 7, 0));
    assert_eq!(column.values, [0, 0, 7]);
    column.set(2, 0);
    assert_eq!(column.get(2), 0);
}
