//! The goods that the demo shops sell.

/// A thing that is sold.
pub(in crate::demo) struct Good {
    /// Its name in addresses.
    pub(in crate::demo) id: &'static str,
    /// Its name for people.
    pub(in crate::demo) name: &'static str,
    /// Its kind.
    pub(in crate::demo) category: &'static str,
    /// A sentence about it.
    pub(super) text: &'static str,
    /// Its price in cents of a dollar.
    pub(in crate::demo) cents: u32,
    /// Its colour, in degrees.
    pub(super) hue: u16,
}

impl Good {
    /// Its price as a number of dollars.
    pub(super) fn dollars(&self) -> String {
        format!("{}.{:02}", self.cents / 100, self.cents % 100)
    }
}

/// All of them.
pub(in crate::demo) const GOODS: [Good; 6] = [
    Good {
        id: "arc",
        name: "Arc floor lamp",
        category: "Floor lamps",
        text: "A wide arc of brushed steel, and a shade that turns.",
        cents: 18_900,
        hue: 28,
    },
    Good {
        id: "buoy",
        name: "Buoy table lamp",
        category: "Table lamps",
        text: "Glass blown by hand, on a foot of oak.",
        cents: 7_450,
        hue: 190,
    },
    Good {
        id: "cove",
        name: "Cove wall light",
        category: "Wall lights",
        text: "Light upwards and downwards, and none in your eyes.",
        cents: 5_990,
        hue: 260,
    },
    Good {
        id: "drift",
        name: "Drift pendant",
        category: "Pendants",
        text: "Folded paper, three sizes, one warm glow.",
        cents: 9_900,
        hue: 340,
    },
    Good {
        id: "ember",
        name: "Ember lantern",
        category: "Outdoors",
        text: "A lantern for gardens. It stands rain and wind.",
        cents: 4_250,
        hue: 12,
    },
    Good {
        id: "fern",
        name: "Fern reading lamp",
        category: "Table lamps",
        text: "A long neck, a small head, and just the page lit.",
        cents: 6_400,
        hue: 130,
    },
];

/// The one whose title was made shorter.
pub(in crate::demo) fn retitled() -> &'static Good {
    let all: &'static [Good] = &GOODS;
    &all[1]
}

/// The one of this id.
pub(super) fn find(id: &str) -> Option<&'static Good> {
    GOODS.iter().find(|good| good.id == id)
}

/// Those whose name or kind has the term in it; all for none.
pub(super) fn named(term: &str) -> Vec<&'static Good> {
    let term = term.trim().to_lowercase();
    GOODS
        .iter()
        .filter(|good| {
            [good.name, good.category]
                .iter()
                .any(|text| text.to_lowercase().contains(&term))
        })
        .collect()
}
