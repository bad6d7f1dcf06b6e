//! The frame of every page: head, style, navigation.

use maud::{DOCTYPE, Markup, html};
use stonework_board::Theme;

/// A page with a title and a body.
pub(crate) fn page(title: &str, body: &Markup) -> Markup {
    with_script(title, None, None, body)
}

/// A page whose JavaScript is a file of `assets/`. `link` is an analysis for the script.
pub(crate) fn with_script(title: &str, script: Option<&str>, link: Option<&str>, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                link rel="icon" href="data:,";
                link rel="stylesheet" href="/assets/page.css";
                link rel="stylesheet" href="/assets/themes.css";
                script src="/assets/theme.js" {}
                @if let Some(script) = script {
                    script type="module" src={ "/assets/" (script) } {}
                }
            }
            body data-link=[link] {
                header {
                    a .skip href="#main" { "To the page" }
                    b { "Stonework" }
                    nav aria-label="pages" .row {
                        a href="/" { "Play" }
                        a href="/a" { "Analyse" }
                        a href="/s" { "Studies" }
                        a href="/b" { "Plain pages" }
                        a href="/r" { "Records" }
                        a href="/help" { "Help" }
                    }
                    select #theme aria-label="colours" hidden {
                        option value="" { "colours of the machine" }
                        option value="paper" { "paper" }
                        @for theme in Theme::ALL.iter().filter(|theme| theme.name != "paper") {
                            option value=(theme.name) { (theme.name) }
                        }
                    }
                }
                main #main { (body) }
            }
        }
    }
}

/// A name as the first word of a heading.
pub(crate) fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
