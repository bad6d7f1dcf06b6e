//! The frame of every page: head, style, navigation.

use maud::{DOCTYPE, Markup, html};

/// A page with a title and a body.
pub(crate) fn page(title: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                link rel="stylesheet" href="/assets/page.css";
            }
            body { main { (body) } }
        }
    }
}
