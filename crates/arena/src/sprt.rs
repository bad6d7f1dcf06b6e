//! [`Sprt`]: a test that ends a match as soon as the result is clear.

use serde::{Deserialize, Serialize};
use stonework_game::text::head;

use crate::stats::PAIR_SCORES;
use crate::{Pairs, score_of};

/// A sequential probability ratio test between two Elo differences.
///
/// After each pair of games the logarithm of the likelihood ratio of "the difference is `elo1`" to "it is
/// `elo0`" is compared with two bounds, ln(β/(1−α)) and ln((1−β)/α) (A. Wald, *Sequential Tests of
/// Statistical Hypotheses*, Annals of Mathematical Statistics 16, 1945).
///
/// The distribution of a pair's points is not known beyond its mean. So each likelihood is the greatest likelihood of
/// all distributions with that mean: a generalised test (M. Van den Bergh, *A practical introduction to the GSPRT*,
/// 2018), which Fishtest calls logistic and pentanomial.
///
/// ```
/// use stonework_arena::{Pairs, Sprt, SprtVerdict};
/// let test = Sprt::new(0.0, 20.0, 0.05, 0.05)?;
/// let pairs = Pairs([12, 40, 60, 30, 8]);
/// assert_eq!((test.ratio(&pairs) * 1000.0).round(), -2997.0);
/// assert_eq!(test.verdict(&pairs), SprtVerdict::Lower);
/// # Ok::<(), stonework_arena::SprtError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Bounds", into = "Bounds")]
pub struct Sprt(Bounds);

/// The parameters of a test.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Bounds {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

impl From<Sprt> for Bounds {
    fn from(test: Sprt) -> Self {
        test.0
    }
}

impl TryFrom<Bounds> for Sprt {
    type Error = SprtError;

    fn try_from(Bounds { elo0, elo1, alpha, beta }: Bounds) -> Result<Self, SprtError> {
        Self::new(elo0, elo1, alpha, beta)
    }
}

/// The verdict of a test so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtVerdict {
    /// No verdict yet.
    Open,
    /// The difference is `elo0` rather than `elo1`; wrong with probability β at most if the difference is `elo1`.
    Lower,
    /// The difference is `elo1` rather than `elo0`; wrong with probability α at most if the difference is `elo0`.
    Upper,
}

/// The reason why a test cannot be made.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SprtError {
    /// The differences are in the wrong order, or outside the range of a match.
    #[error("elo0={elo0} and elo1={elo1}: elo0 has to be below elo1, both between -1000 and 1000")]
    Elo {
        /// The lower difference.
        elo0: f64,
        /// The upper difference.
        elo1: f64,
    },
    /// The probability of an error is out of range.
    #[error("{name}={value}: an error's probability has to be between 0.000001 and 0.5")]
    Probability {
        /// The name of the probability.
        name: &'static str,
        /// The value of the probability.
        value: f64,
    },
    /// The text is not one of the options.
    #[error("`{0}` is no option of a test: elo0=0,elo1=50,alpha=0.05,beta=0.05")]
    Option(String),
    /// An option has a second value.
    #[error("`{0}`: the test has this option already")]
    Twice(String),
}

impl Sprt {
    /// A test of `elo0` against `elo1`. Its probability of an error is at most `alpha` if the truth is `elo0`, and at
    /// most `beta` if the truth is `elo1`.
    ///
    /// # Errors
    /// An error for differences or probabilities out of range.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        let fits = |elo: f64| (-1000.0..=1000.0).contains(&elo);
        if !(fits(elo0) && fits(elo1) && elo0 < elo1) {
            return Err(SprtError::Elo { elo0, elo1 });
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(1e-6..=0.5).contains(&value) {
                return Err(SprtError::Probability { name, value });
            }
        }
        Ok(Self(Bounds { elo0, elo1, alpha, beta }))
    }

    /// The bounds of the [`ratio`](Self::ratio). A ratio below the first bound decides for the lower difference, a
    /// ratio above the second bound for the upper difference.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        let Bounds { alpha, beta, .. } = self.0;
        ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
    }

    /// The logarithm of the generalised likelihood ratio. 0 before the first pair.
    ///
    /// As in Fishtest, a count of 0 is taken as 0.001, so that the ratio exists for all counts.
    #[must_use]
    pub fn ratio(&self, pairs: &Pairs) -> f64 {
        if pairs.count() == 0 {
            return 0.0;
        }
        let counts = pairs.0.map(|count| if count == 0 { 1e-3 } else { count as f64 });
        let n: f64 = counts.iter().sum();
        let observed = counts.map(|count| count / n);
        let [low, high] = [self.0.elo0, self.0.elo1].map(|elo| likeliest(&observed, score_of(elo)));
        let terms = observed.iter().zip(low.iter().zip(high));
        n * terms.map(|(p, (low, high))| p * (high / low).ln()).sum::<f64>()
    }

    /// The verdict after the pairs so far.
    #[must_use]
    pub fn verdict(&self, pairs: &Pairs) -> SprtVerdict {
        let (ratio, (lower, upper)) = (self.ratio(pairs), self.bounds());
        if ratio <= lower {
            SprtVerdict::Lower
        } else if ratio >= upper {
            SprtVerdict::Upper
        } else {
            SprtVerdict::Open
        }
    }
}

/// Options separated by commas, each of which may be left out: `elo0=0,elo1=50,alpha=0.05,beta=0.05`.
impl std::str::FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, SprtError> {
        let mut options =
            [("elo0", 0.0, false), ("elo1", 50.0, false), ("alpha", 0.05, false), ("beta", 0.05, false)];
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let wrong = || SprtError::Option(head(part).to_owned());
            let (name, value) = part.split_once('=').ok_or_else(wrong)?;
            let option = options.iter_mut().find(|option| option.0 == name.trim()).ok_or_else(wrong)?;
            if std::mem::replace(&mut option.2, true) {
                return Err(SprtError::Twice(head(part).to_owned()));
            }
            option.1 = value.trim().parse().map_err(|_| wrong())?;
        }
        let [elo0, elo1, alpha, beta] = options.map(|option| option.1);
        Self::new(elo0, elo1, alpha, beta)
    }
}

impl std::fmt::Display for Sprt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Bounds { elo0, elo1, alpha, beta } = self.0;
        write!(f, "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta}")
    }
}

/// The distribution with a given mean under which the observed shares are likeliest. Each share p with the score a
/// becomes p / (1 + θ(a − mean)), where θ solves Σ p(a − mean) / (1 + θ(a − mean)) = 0 (A. Owen, *Empirical
/// Likelihood*, 2001, section 2.4). The sum falls with θ, so bisection finds θ.
fn likeliest(observed: &[f64; 5], mean: f64) -> [f64; 5] {
    // Between these bounds all shares are above 0; the mean is strictly between 0 and 1.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    let parts = || observed.iter().zip(PAIR_SCORES.map(|score| score - mean));
    for _ in 0..200 {
        let theta = f64::midpoint(low, high);
        if theta <= low || theta >= high {
            break;
        }
        if parts().map(|(p, a)| p * a / (1.0 + theta * a)).sum::<f64>() > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
    }
    let theta = f64::midpoint(low, high);
    let mut shares = [0.0; 5];
    for (share, (p, a)) in shares.iter_mut().zip(parts()) {
        *share = p / (1.0 + theta * a);
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::{RngCore, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Values of Fishtest's own `LLR_logistic`, as published with a test suite that compares its results with
    /// `LLR_logistic`.
    #[test]
    fn ratios_agree_with_fishtest() {
        let published = [
            ([3, 20, 50, 22, 5], 0.0, 20.0, 0.040_320_372_416_706_79),
            ([3, 20, 50, 22, 5], 0.0, 5.0, 0.178_380_224_381_881_25),
            ([3, 20, 50, 22, 5], -10.0, 10.0, 0.934_472_911_388_982_9),
            ([0, 10, 30, 12, 0], 0.0, 20.0, -0.270_414_536_288_852_04),
            ([0, 10, 30, 12, 0], 0.0, 5.0, 0.085_226_848_211_516),
            ([12, 40, 60, 30, 8], 0.0, 20.0, -2.997_301_135_158_272_3),
            ([12, 40, 60, 30, 8], -10.0, 10.0, -2.057_973_200_426_021_5),
        ];
        for (counts, elo0, elo1, ratio) in published {
            let test = Sprt::new(elo0, elo1, 0.05, 0.05).unwrap();
            let ours = test.ratio(&Pairs(counts));
            assert!((ours - ratio).abs() < 1e-9, "{counts:?} {elo0} {elo1}: {ours}, not {ratio}");
        }
    }

    /// Pairs that are all won or all lost are coin tosses, with the likelihood ratio of Wald's paper.
    #[test]
    fn a_ratio_of_coin_tosses_is_walds() {
        let test = Sprt::new(-20.0, 60.0, 0.05, 0.05).unwrap();
        let [low, high] = [-20.0, 60.0].map(score_of);
        let wald = 70.0 * (high / low).ln() + 30.0 * ((1.0 - high) / (1.0 - low)).ln();
        let ours = test.ratio(&Pairs([30, 0, 0, 0, 70]));
        assert!((ours - wald).abs() < 1e-2, "{ours}, not {wald}");
        assert_eq!(test.verdict(&Pairs::default()), SprtVerdict::Open);
        let (lower, upper) = test.bounds();
        assert!((lower + 2.944_438_979_166_44).abs() < 1e-12 && (upper - 2.944_438_979_166_44).abs() < 1e-12);
    }

    /// The share of the verdict `Upper` in 1000 matches at an Elo difference, and the mean number of pairs.
    fn simulate(test: &Sprt, elo: f64, seed: u64) -> (f64, f64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let win = score_of(elo) - 0.1;
        let mut game = || match (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 {
            u if u < win => 1.0,
            u if u < win + 0.2 => 0.5,
            _ => 0.0,
        };
        let (trials, mut upper, mut played) = (1000, 0, 0);
        for _ in 0..trials {
            let mut pairs = Pairs::default();
            loop {
                pairs.add(game(), game());
                match test.verdict(&pairs) {
                    SprtVerdict::Open => {}
                    SprtVerdict::Lower => break,
                    SprtVerdict::Upper => {
                        upper += 1;
                        break;
                    }
                }
            }
            played += pairs.count();
        }
        (f64::from(upper) / f64::from(trials), played as f64 / f64::from(trials))
    }

    /// With 1000 matches, the standard error of a share of 5 % is 0.7 %; 0.071 is three standard errors above 0.05.
    #[test]
    fn equals_are_not_told_apart_more_often_than_stated() {
        let test = Sprt::new(0.0, 50.0, 0.05, 0.05).unwrap();
        let (upper, pairs) = simulate(&test, 0.0, 11);
        assert!(upper <= 0.071 && pairs < 200.0, "{upper} after {pairs}");
        let (upper, pairs) = simulate(&test, 50.0, 12);
        assert!(upper >= 1.0 - 0.071 && pairs < 200.0, "{upper} after {pairs}");
        let lopsided = Sprt::new(0.0, 40.0, 0.01, 0.1).unwrap();
        let (upper, _) = simulate(&lopsided, 0.0, 13);
        assert!(upper <= 0.02, "{upper}");
        let (upper, _) = simulate(&lopsided, 40.0, 14);
        assert!(upper >= 0.9 - 0.029, "{upper}");
    }

    #[test]
    fn tests_that_make_no_sense_are_refused() {
        assert_eq!("elo1=30, alpha=0.1".parse(), Sprt::new(0.0, 30.0, 0.1, 0.05));
        for (text, said) in [
            ("elo0=50", "elo0=50 and elo1=50: elo0 has to be below elo1"),
            ("elo1=nan", "elo1=NaN"),
            ("alpha=0.7", "alpha=0.7: an error's probability"),
            ("gamma=1", "`gamma=1` is no option of a test"),
            ("elo0", "`elo0` is no option"),
            ("elo1=20, elo1=40", "`elo1=40`: the test has this option already"),
        ] {
            let error = text.parse::<Sprt>().unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
        let json = serde_json::to_string(&Sprt::new(0.0, 30.0, 0.1, 0.05).unwrap()).unwrap();
        assert_eq!(json, r#"{"elo0":0.0,"elo1":30.0,"alpha":0.1,"beta":0.05}"#);
        assert!(serde_json::from_str::<Sprt>(&json.replace("30", "-30")).is_err());
    }
}
