//! Reading the text form of a measure.
//!
//! ```text
//! measure = name [ "(" key "=" value { "," key "=" value } ")" ] [ "@" cutoffs ]
//!         | trec-name ( "_" | "." ) cutoffs
//! cutoffs = number { "," number }
//! ```
//!
//! Names are matched without regard to case, save where the case decides between two meanings.

use crate::error::{CandidateReading, MeasureError};
use crate::measure::{Arguments, Dialect, Gain, Measure};
use crate::registry::{
    CutoffRule, Definition, Dispute, DisputedSpelling, Parameter, Spelling, TrecName, definitions,
    find_spelling,
};

/// Reads a text that stands for one measure.
pub(crate) fn one(text: &str, dialect: Dialect) -> Result<Measure, MeasureError> {
    let pieces = Pieces::split(text)?;
    match pieces.cutoffs.as_slice() {
        [] => pieces.measure(None, dialect),
        [cutoff] => pieces.measure(Some(*cutoff), dialect),
        _ => Err(pieces.syntax("one cut-off is wanted here, not a list")),
    }
}

/// Reads a text that may stand for several measures, one for each cut-off.
pub(crate) fn list(text: &str, dialect: Dialect) -> Result<Vec<Measure>, MeasureError> {
    let pieces = Pieces::split(text)?;
    let mut cutoffs = pieces.cutoffs.clone();
    if cutoffs.is_empty() && dialect == Dialect::TrecCompatible {
        cutoffs.extend(pieces.spelling.trec.iter().flat_map(|trec| trec.cutoffs));
    }
    if cutoffs.is_empty() {
        return Ok(vec![pieces.measure(None, dialect)?]);
    }
    cutoffs.into_iter().map(|cutoff| pieces.measure(Some(cutoff), dialect)).collect()
}

/// Checks a cut-off, or its absence, against the definition.
pub(crate) fn check_cutoff(
    definition: &Definition,
    text: &str,
    cutoff: Option<u32>,
) -> Result<(), MeasureError> {
    match (definition.cutoff, cutoff) {
        (CutoffRule::Required, None) => {
            Err(MeasureError::MissingCutoff { name: text.to_owned(), example: format!("{text}@10") })
        }
        (CutoffRule::None, Some(_)) => Err(MeasureError::CutoffNotAllowed {
            name: definition.name.to_owned(),
            instead: text.split('@').next().unwrap_or(text).to_owned(),
        }),
        (_, Some(0)) => Err(MeasureError::BadCutoff { name: text.to_owned(), cutoff: "0".to_owned() }),
        _ => Ok(()),
    }
}

/// The parts of a text, with the name and the parameters looked up in the table.
struct Pieces<'a> {
    text: &'a str,
    name: &'a str,
    spelling: Spelling,
    arguments: Arguments,
    gain_is_spelt: bool,
    cutoffs: Vec<u32>,
}

impl<'a> Pieces<'a> {
    fn split(text: &'a str) -> Result<Self, MeasureError> {
        let text = text.trim();
        let (head, cutoff_text) = match text.split_once('@') {
            Some((head, cutoffs)) => (head.trim_end(), Some(cutoffs)),
            None => match split_trec(text) {
                Some((family, cutoffs)) => (family, Some(cutoffs)),
                None => (text, None),
            },
        };
        let (name, parameter_text) = split_parameters(text, head)?;
        let spelling = find_spelling(name).ok_or_else(|| MeasureError::Unknown {
            name: name.to_owned(),
            suggestion: suggest(text, name),
        })?;
        let mut pieces = Self {
            text,
            name,
            spelling,
            arguments: Arguments::default(),
            gain_is_spelt: false,
            cutoffs: read_cutoffs(text, cutoff_text)?,
        };
        pieces.read_parameters(parameter_text)?;
        Ok(pieces)
    }

    fn syntax(&self, problem: &'static str) -> MeasureError {
        MeasureError::Syntax { text: self.text.to_owned(), problem }
    }

    /// Reads what stands between the parentheses.
    fn read_parameters(&mut self, text: Option<&str>) -> Result<(), MeasureError> {
        let Some(text) = text else { return Ok(()) };
        let definition = self.spelling.definition;
        let mut seen: Vec<&str> = Vec::new();
        for assignment in text.split(',') {
            let (key, value) =
                assignment.split_once('=').map(|(key, value)| (key.trim(), value.trim())).ok_or_else(
                    || self.syntax("parameters are written `(key=value)`, several with commas between"),
                )?;
            let parameter = find_parameter(definition, key)?;
            let bad = |wanted: &str| MeasureError::BadParameter {
                measure: definition.name.to_owned(),
                name: parameter.name.to_owned(),
                value: value.to_owned(),
                wanted: wanted.to_owned(),
            };
            if seen.contains(&parameter.name) {
                return Err(bad("it is given twice"));
            }
            seen.push(parameter.name);
            if !(parameter.read)(&mut self.arguments, value) {
                return Err(bad(&format!("it must be {}", parameter.wanted)));
            }
            if parameter.name == "gain" {
                self.gain_is_spelt = true;
                if let Some(fixed) = self.spelling.gain.filter(|&fixed| fixed != self.arguments.gain) {
                    return Err(bad(&format!("the name `{}` stands for {} gain", self.name, fixed.as_str())));
                }
            }
        }
        Ok(())
    }

    /// The measure at one of the cut-offs, or at none.
    fn measure(&self, cutoff: Option<u32>, dialect: Dialect) -> Result<Measure, MeasureError> {
        let definition = self.spelling.definition;
        if let Some(trec) = self.spelling.trec.filter(|trec| cutoff.is_none() && trec.is_family()) {
            return Err(self.family_without_cutoff(trec));
        }
        check_cutoff(definition, self.text, cutoff)?;
        let mut arguments = Arguments { cutoff, ..self.arguments };
        if let Some(gain) = self.spelling.gain {
            arguments.gain = gain;
        } else if let Some(dispute) = self.dispute(cutoff) {
            let [trec, _] = &dispute.readings;
            match dialect {
                Dialect::TrecCompatible => arguments.gain = trec.gain,
                Dialect::Own => return Err(self.ambiguous(dispute, arguments)),
            }
        }
        Ok(Measure::assemble(definition, arguments))
    }

    /// The dispute about the name as it is written here, if there is one.
    fn dispute(&self, cutoff: Option<u32>) -> Option<&'static Dispute> {
        let definition = self.spelling.definition;
        if self.gain_is_spelt {
            return None;
        }
        definition.disputes.iter().find(|dispute| match dispute.spelling {
            DisputedSpelling::WithoutCutoff => cutoff.is_none(),
            DisputedSpelling::OtherCase => self.name != definition.name,
        })
    }

    fn ambiguous(&self, dispute: &Dispute, arguments: Arguments) -> MeasureError {
        let spell = |gain: Gain| {
            let arguments = Arguments { gain, ..arguments };
            Measure::assemble(self.spelling.definition, arguments).to_string()
        };
        let [first, second] = &dispute.readings;
        MeasureError::Ambiguous {
            name: self.text.to_owned(),
            spellings: [first, second]
                .map(|reading| CandidateReading { text: spell(reading.gain), whose: reading.whose }),
        }
    }

    fn family_without_cutoff(&self, trec: &TrecName) -> MeasureError {
        let example = if self.text.ends_with(')') || self.name == self.spelling.definition.name {
            format!("{}@10", self.text)
        } else {
            format!("{}_10", trec.name)
        };
        MeasureError::MissingCutoff { name: self.text.to_owned(), example }
    }
}

/// Splits `P_5`, `ndcg_cut.10` and the like into the family and its cut-offs.
fn split_trec(text: &str) -> Option<(&str, &str)> {
    let families =
        definitions().iter().flat_map(|definition| definition.trec).filter(|trec| trec.is_family());
    families.into_iter().find_map(|trec| {
        let (family, rest) = text.split_at_checked(trec.name.len())?;
        let cutoffs = rest.strip_prefix(['_', '.'])?;
        (family.eq_ignore_ascii_case(trec.name) && cutoffs.starts_with(|c: char| c.is_ascii_digit()))
            .then_some((family, cutoffs))
    })
}

/// Splits `recall(rel=2)` into the name and what stands between the parentheses.
fn split_parameters<'a>(text: &str, head: &'a str) -> Result<(&'a str, Option<&'a str>), MeasureError> {
    let syntax = |problem| Err(MeasureError::Syntax { text: text.to_owned(), problem });
    let (name, parameters) = match head.split_once('(') {
        None if head.contains(')') => return syntax("a `)` without its `(`"),
        None => (head, None),
        Some((name, rest)) => match rest.strip_suffix(')') {
            Some(parameters) => (name.trim_end(), Some(parameters)),
            None => {
                return syntax(
                    "parameters end with `)`, and only a cut-off may follow, as in `recall(rel=2)@5`",
                );
            }
        },
    };
    if name.is_empty() {
        return syntax("it begins with a name, as in `recall@5`");
    }
    if name.contains(|c: char| c.is_whitespace() || c == ',') {
        return syntax("one measure is wanted, as in `recall@5`");
    }
    Ok((name, parameters))
}

fn find_parameter(definition: &'static Definition, key: &str) -> Result<&'static Parameter, MeasureError> {
    definition.parameters.iter().copied().find(|p| p.name == key).ok_or_else(|| {
        MeasureError::UnknownParameter {
            measure: definition.name.to_owned(),
            name: key.to_owned(),
            known: definition.parameters.iter().map(|p| p.name).collect(),
        }
    })
}

fn read_cutoffs(text: &str, cutoffs: Option<&str>) -> Result<Vec<u32>, MeasureError> {
    let Some(cutoffs) = cutoffs else { return Ok(Vec::new()) };
    cutoffs
        .split(',')
        .map(str::trim)
        .map(|cutoff| {
            whole_number(cutoff)
                .ok_or_else(|| MeasureError::BadCutoff { name: text.to_owned(), cutoff: cutoff.to_owned() })
        })
        .collect()
}

/// A whole number of at least 1, in digits and nothing else.
pub(crate) fn whole_number(text: &str) -> Option<u32> {
    let digits_only = text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|&number| digits_only && number > 0)
}

/// The nearest thing that would be understood.
fn suggest(text: &str, name: &str) -> Option<String> {
    // `mrr_10` is a cut-off in the manner of trec_eval on a name that it does not have.
    let suffixed = split_suffix(name).and_then(|(base, cutoff)| {
        let known = find_spelling(base).map(|s| s.definition.name).or_else(|| nearest_name(base))?;
        Some((known, format!("{known}@{cutoff}")))
    });
    let (nearest, whole) = if let Some(pair) = suffixed {
        pair
    } else {
        let nearest = nearest_name(name)?;
        (nearest, text.replacen(name, nearest, 1))
    };
    // What follows the name may be wrong as well; then the name alone.
    Some(if list(&whole, Dialect::Own).is_ok() { whole } else { nearest.to_owned() })
}

fn split_suffix(name: &str) -> Option<(&str, u32)> {
    let (base, cutoff) = name.rsplit_once(['_', '.'])?;
    Some((base, whole_number(cutoff)?))
}

/// The known name at the least edit distance, the first of the table on a tie.
fn nearest_name(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase().replace('-', "_");
    // Longer names may hold more slips; names of one or two letters are near everything.
    let slips = match name.chars().count() {
        0..=4 => 1,
        5..=8 => 2,
        _ => 3,
    };
    definitions()
        .iter()
        .flat_map(Definition::spellings)
        .filter(|known| known.len() > 2)
        .map(|known| (strsim::osa_distance(&name, &known.to_lowercase()), known))
        .filter(|(distance, _)| *distance <= slips)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(text: &str) -> String {
        one(text, Dialect::Own).map_or_else(|error| error.to_string(), |measure| measure.to_string())
    }

    #[test]
    fn messages_say_what_would_be_right() {
        for (text, message) in [
            ("recal@5", "unknown measure `recal`; did you mean `recall@5`?"),
            ("recal", "unknown measure `recal`; did you mean `recall`?"),
            ("hit-rate@5", "unknown measure `hit-rate`; did you mean `hit_rate@5`?"),
            ("mrr_10", "unknown measure `mrr_10`; did you mean `mrr@10`?"),
            ("recal.10", "unknown measure `recal.10`; did you mean `recall@10`?"),
            ("Rprec_5", "unknown measure `Rprec_5`; did you mean `r_precision`?"),
            (
                "zebra@5",
                "unknown measure `zebra`; known measures: hit_rate, recall, all_needs, mrr, ndcg, map, precision, \
                 context_precision, f1, r_precision, rbp, judged, forbidden, abstained",
            ),
            ("recall", "`recall` needs a cut-off, such as `recall@10`"),
            ("recall(rel=2)", "`recall(rel=2)` needs a cut-off, such as `recall(rel=2)@10`"),
            ("ndcg_cut", "`ndcg_cut` needs a cut-off, such as `ndcg_cut_10`"),
            ("rbp@10", "`rbp` looks at the whole list and takes no cut-off; write `rbp`"),
            ("recall@0", "cut-off `0` of `recall@0` is not a whole number from 1 to 4294967295"),
            ("recall@five", "cut-off `five` of `recall@five` is not a whole number from 1 to 4294967295"),
            ("recall@", "cut-off `` of `recall@` is not a whole number from 1 to 4294967295"),
            ("recall(k=5)", "`recall` has no parameter `k`; known: rel"),
            ("judged(rel=2)@5", "`judged` has no parameter `rel`; it takes none"),
            ("recall(rel=0)@5", "parameter `rel=0` of `recall`: it must be a whole number of at least 1"),
            ("recall(rel=1,rel=2)@5", "parameter `rel=2` of `recall`: it is given twice"),
            ("rbp(p=1)", "parameter `p=1` of `rbp`: it must be a number above 0 and below 1"),
            ("ndcg(gain=cubic)@5", "parameter `gain=cubic` of `ndcg`: it must be `exponential` or `linear`"),
            (
                "ndcg_cut(gain=exp)@5",
                "parameter `gain=exp` of `ndcg`: the name `ndcg_cut` stands for linear gain",
            ),
            ("recall@5,10", "`recall@5,10` is not a measure: one cut-off is wanted here, not a list"),
            (
                "recall(rel=2@5",
                "`recall(rel=2@5` is not a measure: parameters end with `)`, and only a cut-off may follow, as in `recall(rel=2)@5`",
            ),
            ("", "`` is not a measure: it begins with a name, as in `recall@5`"),
            (
                "ndcg",
                "`ndcg` has two meanings: write `ndcg(gain=linear)` (trec_eval) or `ndcg(gain=exponential)` \
                 (most other tools)",
            ),
            (
                "nDCG@10",
                "`nDCG@10` has two meanings: write `ndcg(gain=linear)@10` (ir_measures) or `ndcg@10` \
                 (most other tools)",
            ),
        ] {
            assert_eq!(own(text), message);
        }
    }

    #[test]
    fn out_of_range_numbers_are_refused() {
        for text in ["recall@4294967296", "recall@+5", "recall@-5", "recall@5.0", "recall@5,", "P_5x"] {
            assert!(matches!(list(text, Dialect::Own), Err(MeasureError::BadCutoff { .. })), "{text}");
        }
        for p in ["0", "1", "nan", "inf", "-0.5", "0.99999999999999999999", "1e-400", ""] {
            let text = format!("rbp(p={p})");
            assert!(matches!(one(&text, Dialect::Own), Err(MeasureError::BadParameter { .. })), "{text}");
        }
    }

    #[test]
    fn blanks_are_tolerated_where_they_cannot_mislead() {
        assert_eq!(own(" recall ( rel = 2 ) @ 5 "), "recall(rel=2)@5");
        assert_eq!(own("rbp(rel=2, p=0.50)"), "rbp(rel=2,p=0.5)");
        assert_eq!(own("recall @5"), "recall@5");
    }
}
