//! The syntax that an expression of a caller may have, so that it is compiled within a bounded time.

use regex_syntax::ast::{
    Ast, ClassSetBinaryOp, ClassSetItem, Flag, Flags, FlagsItemKind, Visitor, parse::ParserBuilder, visit,
};

/// How much the classes of an expression may weigh, all together.
const MOST: u32 = 100;
/// The weight of a large class whose letters are taken in either case: that looks at each of its characters.
const FOLDED: u32 = 5;
/// How many characters a range may have without being a large one.
const LARGE: u32 = 1_000;

const SETS: &str = "not taken: && and -- and ~~ and [ within a character class are characters to RE2, and have to be written with a \\ \
                    here";
const HEAVY: &str = "not small enough: \\w, \\d, \\s and \\p may stand in it 100 times, and 16 times in brackets where upper and lower \
                     case are the same";

/// Refuses an expression that takes long to compile, however small it is in the end. RE2 has no sets of sets, which are worked out
/// one by one; large classes are, too. One that is no expression is left to whoever compiles it.
///
/// # Errors
/// The fault in words, for whoever wrote it.
pub(super) fn affordable(pattern: &str, ignores_case: bool) -> Result<(), &'static str> {
    // Octal numbers are taken, as by whoever compiles it.
    let Ok(ast) = ParserBuilder::new().octal(true).build().parse(pattern) else {
        return Ok(());
    };
    let weighing = Weighing {
        ignores_case,
        weight: 0,
        is_large: false,
    };
    visit(&ast, weighing)
}

/// The classes of an expression, on the way through it.
struct Weighing {
    /// Whether letters are taken in either case, or were somewhere before.
    ignores_case: bool,
    weight: u32,
    /// Whether the class in brackets has anything large in it.
    is_large: bool,
}

impl Weighing {
    fn add(&mut self, weight: u32) -> Result<(), &'static str> {
        self.weight += weight;
        if self.weight > MOST { Err(HEAVY) } else { Ok(()) }
    }

    /// A class by its Unicode property, of which either case is taken by itself.
    fn property(&mut self) -> Result<(), &'static str> {
        self.add(if self.ignores_case { FOLDED } else { 1 })
    }

    fn heed(&mut self, flags: &Flags) {
        let ignores_case = |kind: &FlagsItemKind| *kind == FlagsItemKind::Flag(Flag::CaseInsensitive);
        self.ignores_case |= flags.items.iter().any(|item| ignores_case(&item.kind));
    }
}

impl Visitor for Weighing {
    type Output = ();
    type Err = &'static str;

    fn finish(self) -> Result<(), &'static str> {
        Ok(())
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), &'static str> {
        match ast {
            Ast::Flags(set) => self.heed(&set.flags),
            Ast::Group(group) => {
                if let Some(flags) = group.flags() {
                    self.heed(flags);
                }
            }
            Ast::ClassUnicode(_) => self.property()?,
            // Either case of a letter is in them already.
            Ast::ClassPerl(_) => self.add(1)?,
            Ast::ClassBracketed(_) => self.is_large = false,
            _ => {}
        }
        Ok(())
    }

    fn visit_post(&mut self, ast: &Ast) -> Result<(), &'static str> {
        if matches!(ast, Ast::ClassBracketed(_)) && self.is_large && self.ignores_case {
            self.add(FOLDED)?;
        }
        Ok(())
    }

    fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Result<(), &'static str> {
        match item {
            ClassSetItem::Bracketed(_) => Err(SETS),
            ClassSetItem::Unicode(_) => {
                self.is_large = true;
                self.property()
            }
            ClassSetItem::Perl(_) => {
                self.is_large = true;
                self.add(1)
            }
            ClassSetItem::Ascii(class) => {
                self.is_large |= class.negated;
                Ok(())
            }
            ClassSetItem::Range(range) => {
                self.is_large |= u32::from(range.end.c).saturating_sub(u32::from(range.start.c)) > LARGE;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn visit_class_set_binary_op_pre(&mut self, _: &ClassSetBinaryOp) -> Result<(), &'static str> {
        Err(SETS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_sets_are_refused() {
        for pattern in [
            "[a-z&&b]",
            "[a-z--b]",
            "[a-z~~b]",
            "[a[b]]",
            r"(?i)[\w\W&&\pL~~\pN]",
        ] {
            assert_eq!(affordable(pattern, false), Err(SETS), "{pattern}");
        }
        for pattern in ["[a-z&]", "[[:alpha:]-]", r"a&&b[\w-]", "(", r"[\[\]]"] {
            assert_eq!(affordable(pattern, false), Ok(()), "{pattern}");
        }
    }

    #[test]
    fn large_classes_are_counted_and_those_that_ignore_case_count_more() {
        for (pattern, ignores_case, most) in [
            (r"\w", false, 100),
            (r"\w", true, 100),
            (r"[^\w-]", false, 100),
            (r"\pL", false, 100),
            (r"\pL", true, 20),
            (r"[\w-]", true, 16),
            ("[\u{0}-\u{10ffff}]", true, 20),
            ("[[:^alpha:]]", true, 20),
        ] {
            assert_eq!(
                affordable(&pattern.repeat(most), ignores_case),
                Ok(()),
                "{pattern}"
            );
            let more = pattern.repeat(most + 1);
            assert_eq!(affordable(&more, ignores_case), Err(HEAVY), "{pattern}");
        }
        for by_flag in [
            format!("(?i){}", r"\pL".repeat(21)),
            format!("(?i:{})", r"\pL".repeat(21)),
        ] {
            assert_eq!(affordable(&by_flag, false), Err(HEAVY), "{by_flag}");
        }
        for small in ["[a-z0-9]", "[^a]", ".", "[\u{0}-\u{10ffff}]"] {
            assert_eq!(affordable(&small.repeat(500), false), Ok(()), "{small}");
        }
    }
}
