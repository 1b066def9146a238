//! Adds to a tagged PDF the parts that PDF/UA-1 asks for and Chromium leaves out.
//!
//! Chromium writes the tags, the title and the language. Missing are the mark of conformance, what links are about, the bodies of list
//! items, and a word about all that is drawn beside the text: page numbers, the lines of tables, backgrounds. The head of a table that
//! goes on over pages is one element on all of them, and would be read on each.

mod content;
mod letters;
mod links;
mod metadata;
mod scan;
mod tree;

use std::collections::HashMap;

use lopdf::{Document, LoadOptions, Object, ObjectId};

pub(super) use self::letters::drawn_by_page;

/// How large a PDF may be: while it is looked through, it takes twenty times as much memory. A table of 15,000 rows is twice as large.
const MOST_BYTES: usize = 8 << 20;
/// How much the content of one page may be, inflated: that of a page of figures is a tenth of a megabyte.
const MOST_OF_A_PAGE: usize = 8 << 20;
/// How much that of all pages may be.
const MOST_OF_ALL: usize = 64 << 20;

/// Why a PDF stays as it is.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unfit {
    /// It is damaged, or a page holds more than may be looked through.
    #[error("it can't be read or written: {0}")]
    Unread(#[from] lopdf::Error),
    /// Without it nobody may say that the file conforms.
    #[error("it has no {0}")]
    Without(&'static str),
    /// Chromium writes no such thing for a report.
    #[error("it has {0}")]
    Unknown(&'static str),
}

/// The objects of a PDF, unless it is too large to be looked through.
pub(super) fn load(pdf: &[u8]) -> Result<Document, Unfit> {
    if pdf.len() > MOST_BYTES {
        return Err(Unfit::Unknown("more than 8 MiB"));
    }
    let options = LoadOptions {
        strict: true,
        max_decompressed_size: Some(MOST_OF_A_PAGE),
        ..LoadOptions::default()
    };
    Ok(Document::load_mem_with_options(pdf, options)?)
}

/// A PDF with all that a program can mend for PDF/UA-1.
#[derive(Debug)]
pub(super) struct Accessible {
    pub(super) bytes: Vec<u8>,
    /// Whether it conforms, and says so: no program can mend letters that no font of the machine has.
    pub(super) conforms: bool,
}

/// The same PDF with the parts that were missing. `told` has what the links to the page's own anchors say.
pub(super) fn accessible(pdf: &[u8], told: &HashMap<String, String>) -> Result<Accessible, Unfit> {
    let mut document = load(pdf)?;
    let about = metadata::About::of(&document)?;
    let tree = tree::Tree::of(&document)?;
    tree.mend(&mut document)?;
    let (mut left, mut conforms) = (MOST_OF_ALL, true);
    for page in document.page_iter().collect::<Vec<_>>() {
        let (length, has_letters) = mark(&mut document, page, &tree, left)?;
        left = left.saturating_sub(length);
        conforms &= has_letters;
        links::describe(&mut document, page, &tree, told)?;
    }
    about.write(&mut document, conforms)?;
    // The order of tabs came with 1.5; PDF/UA-1 is about 1.7.
    document.version = "1.7".to_owned();
    let mut written = Vec::with_capacity(pdf.len());
    document.save_to(&mut written).map_err(lopdf::Error::from)?;
    Ok(Accessible {
        bytes: written,
        conforms,
    })
}

/// Marks all that a page draws, which may be so much, and says how much it was, and whether all its letters are drawn.
fn mark(
    document: &mut Document,
    page: ObjectId,
    tree: &tree::Tree,
    most: usize,
) -> Result<(usize, bool), Unfit> {
    let [stream] = document.get_page_contents(page)[..] else {
        return Err(Unfit::Unknown("a page whose content is in pieces"));
    };
    let plain = document.get_page_content_with_limit(page, most.min(MOST_OF_A_PAGE))?;
    let marked = content::mark(document, page, &plain, tree)?;
    let stream = document.get_object_mut(stream).and_then(Object::as_stream_mut)?;
    stream.set_plain_content(marked.content);
    stream.compress()?;
    tree.forget(document, page, &marked.artifacts)?;
    Ok((plain.len(), marked.has_letters))
}

#[cfg(test)]
mod tests {
    use lopdf::{Dictionary, Stream, dictionary};

    use super::*;

    /// A background, a page's number, the line of a table, and an item with its number and its link.
    const CONTENT: &str = "1 1 1 rg
0 0 9 9 re
f
BT
<0014> Tj
ET
/Table <</MCID 0 >>BDC
0 0 9 1 re
f
EMC
/Lbl <</MCID 1 >>BDC
BT
(1.) Tj
ET
EMC
/NonStruct <</MCID 2 >>BDC
BT
(Uptime) Tj
ET
EMC";

    fn at(number: u32) -> Object {
        Object::Reference((number, 0))
    }

    fn element(role: &str, above: u32, kids: impl Into<Object>) -> Dictionary {
        let kids = kids.into();
        dictionary! { "Type" => "StructElem", "S" => role, "P" => at(above), "Pg" => at(3), "K" => kids }
    }

    /// A page as Chromium prints it.
    fn printed() -> Document {
        let mut document = Document::with_version("1.4");
        let english = Object::string_literal("en");
        let object = dictionary! { "Type" => "OBJR", "Obj" => at(5), "Pg" => at(3) };
        let parents = vec![0.into(), at(14), 1.into(), at(11)];
        let objects = [
            dictionary! { "Type" => "Catalog", "Pages" => at(2), "StructTreeRoot" => at(6), "Lang" => english },
            dictionary! { "Type" => "Pages", "Kids" => vec![at(3)], "Count" => 1 },
            dictionary! {
                "Type" => "Page", "Parent" => at(2), "Contents" => at(4), "Annots" => vec![at(5)], "StructParents" => 0
            },
            Dictionary::new(),
            dictionary! { "Type" => "Annot", "Subtype" => "Link", "Dest" => "uptime", "StructParent" => 1 },
            dictionary! { "Type" => "StructTreeRoot", "K" => at(7), "ParentTree" => at(13) },
            dictionary! { "Type" => "StructElem", "S" => "Document", "P" => at(6), "K" => vec![at(8), at(9)] },
            element("Table", 7, 0),
            element("LI", 7, vec![at(10), at(11)]),
            element("Lbl", 9, 1),
            element("Link", 9, vec![at(12), object.into()]),
            element("Strong", 11, 2),
            dictionary! { "Type" => "ParentTree", "Nums" => parents },
        ];
        for (number, object) in (1..).zip(objects) {
            document.objects.insert((number, 0), object.into());
        }
        let stream = Stream::new(Dictionary::new(), CONTENT.as_bytes().to_vec());
        document.objects.insert((4, 0), stream.into());
        document
            .objects
            .insert((14, 0), vec![at(8), at(10), at(12)].into());
        document.max_id = 14;
        let about = document.add_object(dictionary! { "Title" => Object::string_literal("March") });
        document.trailer.set("Root", at(1));
        document.trailer.set("Info", about);
        document
    }

    fn made(document: &mut Document) -> Result<Document, Unfit> {
        let mut pdf = Vec::new();
        document.save_to(&mut pdf).unwrap();
        let told = HashMap::from([("uptime".to_owned(), "Uptime of March".to_owned())]);
        Ok(Document::load_mem(&accessible(&pdf, &told)?.bytes).unwrap())
    }

    fn dictionary(document: &Document, number: u32) -> &Dictionary {
        document.get_dictionary((number, 0)).unwrap()
    }

    #[test]
    fn all_that_is_drawn_is_an_elements_or_an_artifact() {
        let made = made(&mut printed()).unwrap();
        let content = String::from_utf8(made.get_page_content((3, 0))).unwrap();
        let expected = "1 1 1 rg
/Artifact BMC
0 0 9 9 re
f
EMC
/Artifact <</Type /Pagination /Subtype /Footer>> BDC
BT
<0014> Tj
ET
EMC
/Artifact BMC
0 0 9 1 re
f
EMC
/Lbl";
        assert!(content.starts_with(expected), "{content}");
        let rest = CONTENT.split_once("/Lbl").unwrap().1;
        assert!(content.trim_end().ends_with(rest), "{content}");
        // The line is no part of its table any more.
        assert_eq!(
            dictionary(&made, 8).get(b"K").unwrap(),
            &Object::Array(Vec::new())
        );
        let owners = made.get_object((14, 0)).unwrap().as_array().unwrap();
        assert_eq!(owners[..], [Object::Null, at(10), at(12)]);
    }

    const HEAD: &str = "/TH <</MCID 3 >>BDC\nBT\n(Page) Tj\nET\nEMC";
    const HEAD_AGAIN: &str = "/TH <</MCID 0 >>BDC\nBT\n(Page) Tj\nET\nEMC";

    /// The same with a header that is drawn on two pages, as Chromium does where a table goes on.
    fn on_two_pages(scope: &str) -> Document {
        let mark = |page: u32, mark: i64| {
            Object::from(dictionary! { "Type" => "MCR", "Pg" => at(page), "MCID" => mark })
        };
        let content = |text: &str| Stream::new(Dictionary::new(), text.as_bytes().to_vec());
        let mut document = printed();
        let second = dictionary! {
            "Type" => "Page", "Parent" => at(2), "Contents" => at(17), "StructParents" => 2
        };
        let mut header = element("TH", 8, vec![mark(3, 3), mark(16, 0)]);
        header.set("A", dictionary! { "O" => "Table", "Scope" => scope });
        let pages = dictionary! { "Type" => "Pages", "Kids" => vec![at(3), at(16)], "Count" => 2 };
        let parents = vec![0.into(), at(14), 1.into(), at(11), 2.into(), at(19)];
        let table = element("Table", 7, vec![0.into(), at(18)]);
        let objects: [(u32, Object); 9] = [
            (2, pages.into()),
            (4, content(&format!("{CONTENT}\n{HEAD}")).into()),
            (8, table.into()),
            (
                13,
                dictionary! { "Type" => "ParentTree", "Nums" => parents }.into(),
            ),
            (14, vec![at(8), at(10), at(12), at(18)].into()),
            (16, second.into()),
            (17, content(HEAD_AGAIN).into()),
            (18, header.into()),
            (19, vec![at(18)].into()),
        ];
        for (number, object) in objects {
            document.objects.insert((number, 0), object);
        }
        document.max_id = 19;
        document
    }

    #[test]
    fn the_head_of_a_table_is_read_on_its_first_page_alone() {
        let content = |made: &Document, page: u32| {
            let content = made.get_page_content((page, 0));
            String::from_utf8(content).unwrap().trim_end().to_owned()
        };
        let marks = |made: &Document| dictionary(made, 18).get(b"K").unwrap().as_array().unwrap().len();

        let of_column = made(&mut on_two_pages("Column")).unwrap();
        assert!(content(&of_column, 3).ends_with(HEAD));
        assert_eq!(
            content(&of_column, 16),
            "/Artifact <</Type /Pagination>> BDC\nBT\n(Page) Tj\nET\nEMC"
        );
        assert_eq!(marks(&of_column), 1);
        let owners = of_column.get_object((19, 0)).unwrap().as_array().unwrap();
        assert_eq!(owners[..], [Object::Null]);

        // The head of a row may go on over pages: its text is not there twice.
        let of_row = made(&mut on_two_pages("Row")).unwrap();
        assert_eq!((content(&of_row, 16).as_str(), marks(&of_row)), (HEAD_AGAIN, 2));
    }

    #[test]
    fn items_have_bodies_links_say_what_they_are_about_and_types_are_known() {
        let made = made(&mut printed()).unwrap();
        let kids = dictionary(&made, 9).get(b"K").unwrap().as_array().unwrap();
        let [label, Object::Reference(body)] = &kids[..] else {
            panic!("{kids:?}")
        };
        assert_eq!(label, &at(10));
        let body = made.get_dictionary(*body).unwrap();
        assert_eq!(body.get(b"S").unwrap(), &Object::from("LBody"));
        assert_eq!(body.get(b"K").unwrap(), &Object::Array(vec![at(11)]));
        let about = dictionary(&made, 5).get(b"Contents").unwrap();
        assert_eq!(about.as_str().unwrap(), b"Uptime of March");
        assert_eq!(dictionary(&made, 3).get(b"Tabs").unwrap(), &Object::from("S"));
        let roles = dictionary(&made, 6).get(b"RoleMap").unwrap().as_dict().unwrap();
        assert_eq!(roles.get(b"Strong").unwrap(), &Object::from("Span"));
    }

    #[test]
    fn what_conforms_says_so() {
        let made = made(&mut printed()).unwrap();
        let catalog = made.catalog().unwrap();
        let packet = catalog
            .get_deref(b"Metadata", &made)
            .unwrap()
            .as_stream()
            .unwrap();
        let packet = str::from_utf8(&packet.content).unwrap();
        assert!(
            packet.contains(">March</rdf:li>") && packet.contains("<pdfuaid:part>1<"),
            "{packet}"
        );
        for (part, word) in [
            (&b"ViewerPreferences"[..], &b"DisplayDocTitle"[..]),
            (b"MarkInfo", b"Marked"),
        ] {
            let part = catalog.get(part).unwrap().as_dict().unwrap();
            assert!(part.get(word).unwrap().as_bool().unwrap());
        }
    }

    #[test]
    fn what_does_not_conform_never_says_so() {
        let without = |number: u32, change: fn(&mut Dictionary), missing: &str| {
            let mut document = printed();
            change(document.get_dictionary_mut((number, 0)).unwrap());
            let refused = made(&mut document).unwrap_err().to_string();
            assert_eq!(refused, format!("it has no {missing}"));
        };
        without(1, |catalog| drop(catalog.remove(b"StructTreeRoot")), "tags");
        without(1, |catalog| drop(catalog.remove(b"Lang")), "language");
        without(
            15,
            |about| about.set("Title", Object::string_literal(" ")),
            "title",
        );
        without(12, |strong| strong.set("S", "Figure"), "text for a picture");
        without(12, |strong| drop(strong.remove(b"K")), "element for a mark");
        without(11, |link| link.set("K", at(12)), "element for a link");
        without(5, |annotation| annotation.set("Dest", "rum"), "text for a link");
    }

    #[test]
    fn what_draws_boxes_for_letters_never_says_that_it_conforms() {
        let of_texts = |texts: &str| {
            let mut document = printed();
            let wide = dictionary! { "Type" => "Font", "Subtype" => "Type0" };
            let narrow = dictionary! { "Type" => "Font", "Subtype" => "Type3" };
            let fonts = dictionary! { "F4" => wide, "F5" => narrow };
            let page = document.get_dictionary_mut((3, 0)).unwrap();
            page.set("Resources", dictionary! { "Font" => fonts });
            let content = CONTENT.replace("(Uptime) Tj", texts);
            let stream = Stream::new(Dictionary::new(), content.into_bytes());
            document.objects.insert((4, 0), stream.into());
            let made = made(&mut document).unwrap();
            let packet = made.catalog().unwrap().get_deref(b"Metadata", &made).unwrap();
            let packet = String::from_utf8(packet.as_stream().unwrap().content.clone()).unwrap();
            assert!(packet.contains(">March</rdf:li>"), "{packet}");
            packet.contains("pdfuaid:part")
        };
        for whole in [
            "/F4 14 Tf <002B0100> Tj",
            "/F5 14 Tf <2B01> Tj",
            "/F4 14 Tf [<002B> -20 <0100>] TJ",
        ] {
            assert!(of_texts(whole), "{whole}");
        }
        for boxed in [
            "/F4 14 Tf <002B0000> Tj",
            "/F5 14 Tf <2B00> Tj",
            "/F4 14 Tf <002B> Tj /Span <</ActualText <FEFF672C>>> BDC <0000> Tj EMC",
            "/F4 14 Tf [<002B> -20 <0000>] TJ",
        ] {
            assert!(!of_texts(boxed), "{boxed}");
        }
    }

    #[test]
    fn what_is_drawn_oddly_is_left_alone() {
        for odd in [
            "EMC",
            "/P <</MCID 1>> BDC",
            "BT /P <</MCID 1>> BDC EMC ET",
            "0 0 m /P BMC EMC",
            "/P /of BDC EMC",
            "(",
            "BT",
        ] {
            let mut document = printed();
            let stream = Stream::new(Dictionary::new(), odd.as_bytes().to_vec());
            document.objects.insert((4, 0), stream.into());
            assert!(made(&mut document).is_err(), "{odd}");
        }
    }
}
