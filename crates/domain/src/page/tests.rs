//! Envelopes.

use serde_json::json;

use super::*;

fn request(limit: usize) -> PageRequest<i64, String> {
    PageRequest {
        limit,
        after: None,
        list: ListKey::new("listThings", Uuid::nil()),
    }
}

fn position(item: &i64) -> Position<i64, String> {
    Position {
        key: *item,
        id: item.to_string(),
    }
}

#[test]
fn a_page_says_whether_more_follows() {
    let page = request(2);
    assert_eq!(page.rows(), 3);
    let full = Page::cut(vec![1, 2, 3], &page, position);
    let next = full.next_cursor.unwrap();
    assert_eq!((full.items, full.has_more), (vec![1, 2], true));
    assert_eq!(Position::open(&next, &page.list), Some(position(&2)));
    let last = Page::cut(vec![1, 2], &page, position);
    assert_eq!((last.has_more, last.next_cursor), (false, None));
    assert_eq!(request(usize::MAX).rows(), i64::MAX);
}

/// An item has as many bytes as it says.
#[test]
fn a_page_ends_where_its_items_have_too_many_bytes() {
    let cut = |items: &[i64], most| {
        let bytes = |item: &i64| usize::try_from(*item).unwrap();
        let page = request(3);
        let cut = Page::cut_within(items.to_vec(), &page, most, bytes, position);
        let next = cut.next_cursor.map(|next| Position::open(&next, &page.list));
        (cut.items, next.flatten())
    };
    assert_eq!(cut(&[5, 4, 3, 2], 9), (vec![5, 4], Some(position(&4))));
    assert_eq!(cut(&[5, 4, 3, 2], 12), (vec![5, 4, 3], Some(position(&3))));
    assert_eq!(cut(&[5, 4, 3], 12), (vec![5, 4, 3], None));
    assert_eq!(cut(&[50, 4], 12), (vec![50], Some(position(&50))), "one at least");
    assert_eq!(cut(&[], 12), (vec![], None));
}

#[derive(Serialize)]
struct Counts {
    scanned: u32,
    by_class: [u32; 2],
}

#[test]
fn further_members_stand_at_the_root() {
    let counts = Counts {
        scanned: 2,
        by_class: [1, 1],
    };
    let page = Page::single(vec![1, 2]).map(|item| item * 10).with(counts);
    let told = json!({
        "items": [10, 20], "next_cursor": null, "has_more": false, "scanned": 2, "by_class": [1, 1],
    });
    assert_eq!(json!(page), told);
    let plain = json!({ "items": [1], "next_cursor": null, "has_more": false });
    assert_eq!(json!(Page::single(vec![1])), plain);
}

#[test]
fn a_page_by_offset_tells_the_total_by_its_name() {
    struct Queries;
    impl TotalName for Queries {
        const NAME: &'static str = "total_queries";
    }
    let asked = OffsetRequest {
        limit: 10,
        offset: 40,
    };
    let page = OffsetPage::<_, Queries>::new(vec!["shoes"], 41, asked);
    let mut told = json!({ "items": ["shoes"], "total_queries": 41, "limit": 10, "offset": 40 });
    assert_eq!(json!(page), told);
    told["scanned"] = json!(3);
    told["by_class"] = json!([0, 3]);
    let by_class = [0, 3];
    assert_eq!(json!(page.with(Counts { scanned: 3, by_class })), told);
    let unknown = OffsetPage::<&str, Queries>::new(Vec::new(), None, asked);
    let told = json!({ "items": [], "total_queries": null, "limit": 10, "offset": 40 });
    assert_eq!(json!(unknown), told);
}

#[test]
fn the_next_page_by_offset_begins_where_this_one_ends() {
    struct Queries;
    impl TotalName for Queries {
        const NAME: &'static str = "total_queries";
    }
    let next = |total: Option<u64>, items: usize, offset: i64| {
        let asked = OffsetRequest { limit: 2, offset };
        OffsetPage::<_, Queries>::new(vec!["shoes"; items], total, asked).next_offset()
    };
    assert_eq!(next(Some(5), 2, 0), Some(2));
    assert_eq!(next(Some(5), 2, 2), Some(4));
    assert_eq!(next(Some(5), 1, 4), None);
    assert_eq!(next(Some(4), 2, 2), None);
    assert_eq!(next(Some(4), 0, i64::MAX), None);
    assert_eq!((next(None, 2, 0), next(None, 1, 0)), (Some(2), None));
}
