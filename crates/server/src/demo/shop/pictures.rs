//! The pictures and the file of the demo shops, drawn by arithmetic.

use std::fmt::Write;

use super::goods::GOODS;

/// The large picture: a garland of lights.
pub(super) fn hero() -> String {
    let mut lights = String::new();
    for at in 0..140_u32 {
        // Steps that share no factor with the sides spread the lights without a pattern that the eye finds.
        let (x, y) = ((at * 397) % 640, (at * 211) % 400);
        let (size, hue) = (4 + (at * 7) % 23, 18 + (at * 5) % 40);
        // Writing into a string can't fail.
        let _ = write!(
            lights,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{size}\" fill=\"hsl({hue} 90% 62%)\" opacity=\"0.{}\"/>",
            2 + at % 7
        );
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 400\" width=\"640\" height=\"400\">\
         <rect width=\"640\" height=\"400\" fill=\"#1d2433\"/>{lights}</svg>"
    )
}

/// A lamp of a colour.
pub(super) fn lamp(hue: u16) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 160 160\" width=\"320\" height=\"320\">\
         <rect width=\"160\" height=\"160\" fill=\"hsl({hue} 45% 90%)\"/>\
         <circle cx=\"80\" cy=\"66\" r=\"52\" fill=\"hsl({hue} 90% 78%)\" opacity=\"0.6\"/>\
         <path d=\"M52 84 68 40h24l16 44z\" fill=\"hsl({hue} 60% 45%)\"/>\
         <path d=\"M78 84h4v46h18v6H60v-6h18z\" fill=\"#2b2f38\"/></svg>"
    )
}

/// The price list: a PDF of one page.
pub(super) fn price_list() -> String {
    let mut text = String::from("BT /F1 18 Tf 60 760 Td (Price list) Tj /F1 12 Tf 0 -36 Td ");
    for good in &GOODS {
        let _ = write!(text, "({}: USD {}) Tj 0 -20 Td ", good.name, good.dollars());
    }
    text.push_str("ET");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R \
         /Resources << /Font << /F1 5 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{text}\nendstream", text.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    let mut file = String::from("%PDF-1.4\n");
    let mut table = String::from("0000000000 65535 f \n");
    for (at, object) in objects.iter().enumerate() {
        let _ = writeln!(table, "{:010} 00000 n ", file.len());
        let _ = write!(file, "{} 0 obj\n{object}\nendobj\n", at + 1);
    }
    let (start, count) = (file.len(), objects.len() + 1);
    let _ = write!(
        file,
        "xref\n0 {count}\n{table}trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    );
    file
}
