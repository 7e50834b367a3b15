use super::*;

fn place(start: usize) -> Place {
    let chunk = Chunk::new(start..start + 1, 0..1).expect("small");
    Place::new(7, chunk).expect("small")
}

#[test]
fn places_are_a_list() {
    for count in 0..5 {
        let mut places = Places::default();
        (0..count).for_each(|at| places.push(place(at)));
        let all: Vec<Place> = (0..count).map(place).collect();
        assert_eq!(*places, *all);
        places.iter_mut().for_each(|place| place.segment = 8);
        assert!(places.iter().all(|place| place.segment() == 8));
        let popped: Vec<usize> = std::iter::from_fn(|| places.pop())
            .map(|place| place.chunk.text().start)
            .collect();
        assert_eq!(popped, (0..count).rev().collect::<Vec<_>>());
        assert_eq!(places, Places::None);
    }
}

#[test]
fn a_record_keeps_an_extent_and_stays_small() {
    let plain = Extent {
        version: FileVersion {
            size: 1,
            nanos: 2,
            inode: 3,
        },
        checkpoint: Checkpoint {
            offset: 4,
            traits: Traits::ERROR,
            ..Checkpoint::default()
        },
        prefix: Prefix {
            pieces: Vec::new(),
            rest: 5,
        },
        left_out: LeftOut::default(),
    };
    let mut full = plain.clone();
    full.checkpoint.open_calls = vec![("toolu_1".to_owned(), "Bash".to_owned())];
    full.checkpoint.damaged = 6;
    full.prefix.pieces = vec![7, 8];
    full.left_out.settled = 9;
    let mut record = FileRecord::default();
    for extent in [&plain, &full, &plain] {
        record.set_extent(extent.clone());
        assert_eq!(record.extent(), *extent);
        assert_eq!(record.left_out(), extent.left_out);
    }
    assert!(record.rare.is_none(), "most have nothing of it");
    assert!(size_of::<FileRecord>() <= 112);
}
