//! The metadata of a PDF: its title and that it conforms, in XMP.

use lopdf::{Dictionary, Document, Object, Stream, decode_text_string};

use super::Unfit;

/// The parts of the metadata that have to be true of a file: it is tagged, in a language, and has a title.
pub(super) struct About {
    title: String,
    language: String,
}

impl About {
    /// Looks for them.
    pub(super) fn of(document: &Document) -> Result<Self, Unfit> {
        let catalog = document.catalog()?;
        if !catalog.has(b"StructTreeRoot") {
            return Err(Unfit::Without("tags"));
        }
        let language = text(document, catalog, b"Lang").ok_or(Unfit::Without("language"))?;
        let title = document
            .trailer
            .get_deref(b"Info", document)
            .and_then(Object::as_dict)
            .ok()
            .and_then(|about| text(document, about, b"Title"))
            .ok_or(Unfit::Without("title"))?;
        Ok(Self { title, language })
    }

    /// Writes the metadata: that the file conforms where it does.
    pub(super) fn write(&self, document: &mut Document, conforms: bool) -> Result<(), Unfit> {
        let mut kind = Dictionary::new();
        kind.set("Type", "Metadata");
        kind.set("Subtype", "XML");
        // Programs look for it in the open.
        let packet = packet(&self.title, &self.language, conforms).into_bytes();
        let packet = Stream::new(kind, packet).with_compression(false);
        let packet = document.try_add_object(packet)?;
        let mut viewer = part(document, b"ViewerPreferences")?;
        viewer.set("DisplayDocTitle", true);
        let mut marks = part(document, b"MarkInfo")?;
        marks.set("Marked", true);
        let catalog = document.catalog_mut()?;
        catalog.set("Metadata", packet);
        catalog.set("ViewerPreferences", viewer);
        catalog.set("MarkInfo", marks);
        Ok(())
    }
}

/// A text that says something.
pub(super) fn text(document: &Document, of: &Dictionary, key: &[u8]) -> Option<String> {
    let text = decode_text_string(of.get_deref(key, document).ok()?).ok()?;
    (!text.trim().is_empty()).then_some(text)
}

/// A dictionary of the catalogue, empty where there is none.
fn part(document: &Document, key: &[u8]) -> Result<Dictionary, Unfit> {
    let catalog = document.catalog()?;
    Ok(catalog
        .get_deref(key, document)
        .and_then(Object::as_dict)
        .cloned()
        .unwrap_or_default())
}

fn packet(title: &str, language: &str, conforms: bool) -> String {
    let (title, language) = (escaped(title), escaped(language));
    let part = if conforms {
        "<pdfuaid:part>1</pdfuaid:part>\n"
    } else {
        ""
    };
    format!(
        "<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>
<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">
<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">
<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:pdfuaid=\"http://www.aiim.org/pdfua/ns/id/\">
<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">{title}</rdf:li></rdf:Alt></dc:title>
<dc:language><rdf:Bag><rdf:li>{language}</rdf:li></rdf:Bag></dc:language>
{part}</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end=\"r\"?>"
    )
}

/// A text in XML, without the characters that XML has no way to write.
fn escaped(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for one in text.chars() {
        match one {
            '&' => written.push_str("&amp;"),
            '<' => written.push_str("&lt;"),
            '>' => written.push_str("&gt;"),
            '\u{fffe}' | '\u{ffff}' => {}
            one if one.is_control() => written.push(' '),
            one => written.push(one),
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::packet;

    #[test]
    fn a_title_stays_a_text_of_the_packet() {
        let packet = packet("R&D </rdf:li>\u{0}", "en", true);
        assert!(packet.contains(">R&amp;D &lt;/rdf:li&gt; </rdf:li>"), "{packet}");
        assert!(packet.contains("<pdfuaid:part>1</pdfuaid:part>"));
    }
}
