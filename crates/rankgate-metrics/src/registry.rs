//! The only table of measures.
//!
//! Parsing, printing, documentation and the tests walk it. A new measure is one entry here and one
//! function in `measures/`.

use crate::measure::{Arguments, Gain};
use crate::measures::{
    average_precision, found, judged, ndcg, precision, rank_biased, reciprocal_rank, refusal,
};
use crate::outcome::Outcome;
use crate::parse::whole_number;

/// One measure: all that is known about it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Definition {
    /// The canonical name.
    pub name: &'static str,
    /// Other names it goes by.
    pub aliases: &'static [Alias],
    /// Its names in `trec_eval`.
    pub trec: &'static [TrecName],
    /// The parameters, in the order in which they are printed.
    pub parameters: &'static [&'static Parameter],
    /// Whether it is defined with a cut-off, without one, or both.
    pub cutoff: CutoffRule,
    /// Spellings of the name that two tools use for two numbers.
    pub disputes: &'static [Dispute],
    /// The cases it is defined for.
    pub applies: Applies,
    /// Whether more is better.
    pub direction: Direction,
    /// The least and the greatest value for one query.
    pub range: (f64, f64),
    /// What the value for one query counts.
    pub unit: &'static str,
    /// The formula: n relevant needs, cut-off k, ranks r, places p, list length L.
    pub formula: &'static str,
    /// Where the definition comes from.
    pub citation: &'static str,
    /// One sentence on what it tells.
    pub description: &'static str,
    pub(crate) compute: fn(&Outcome, &Arguments) -> f64,
}

impl Definition {
    /// Every name that is understood: the canonical one, the aliases, then those of `trec_eval`.
    pub fn spellings(&self) -> impl Iterator<Item = &'static str> + use<> {
        let name = self.name;
        let aliases = self.aliases.iter().map(|alias| alias.name);
        let trec = self.trec.iter().map(|trec| trec.name).filter(move |&trec| trec != name);
        std::iter::once(name).chain(aliases).chain(trec)
    }

    /// The full form with all defaults, such as `recall(rel=1)@k`; `[@k]` where a cut-off is optional.
    pub fn signature(&self) -> String {
        let parameters: Vec<String> =
            self.parameters.iter().map(|p| format!("{}={}", p.name, p.default)).collect();
        let parameters =
            if parameters.is_empty() { String::new() } else { format!("({})", parameters.join(", ")) };
        let cutoff = match self.cutoff {
            CutoffRule::Required => "@k",
            CutoffRule::Optional => "[@k]",
            CutoffRule::None => "",
        };
        format!("{}{parameters}{cutoff}", self.name)
    }

    pub(crate) fn has_parameter(&self, name: &str) -> bool {
        self.parameters.iter().any(|parameter| parameter.name == name)
    }
}

/// Another name of a measure.
#[derive(Debug)]
#[non_exhaustive]
pub struct Alias {
    /// The name.
    pub name: &'static str,
    /// The gain that the name stands for, if it says one.
    pub gain: Option<Gain>,
}

/// A name of a measure in `trec_eval`.
#[derive(Debug)]
#[non_exhaustive]
pub struct TrecName {
    /// The name.
    pub name: &'static str,
    /// The gain that the name stands for, if it says one.
    pub gain: Option<Gain>,
    /// The cut-offs that the bare name stands for there; empty for a measure of the whole list.
    pub cutoffs: &'static [u32],
}

impl TrecName {
    /// Whether the name is only whole with a cut-off, as `P` in `P_5`.
    pub fn is_family(&self) -> bool {
        !self.cutoffs.is_empty()
    }
}

/// A parameter of a measure.
#[derive(Debug)]
#[non_exhaustive]
pub struct Parameter {
    /// The name, as in `(name=value)`.
    pub name: &'static str,
    /// Which values are allowed.
    pub wanted: &'static str,
    /// The value when it is not given, as text.
    pub default: &'static str,
    /// One sentence on what it does.
    pub help: &'static str,
    /// Reads a value into the arguments; false if it is not allowed.
    pub(crate) read: fn(&mut Arguments, &str) -> bool,
    /// The canonical text of the value.
    pub(crate) print: fn(&Arguments) -> String,
}

/// Whether a measure takes a cut-off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CutoffRule {
    /// It is only defined with one.
    Required,
    /// Without one it looks at the whole list.
    Optional,
    /// It always looks at the whole list.
    None,
}

/// Which way a measure improves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// More is better.
    HigherIsBetter,
    /// Less is better.
    LowerIsBetter,
}

/// Which cases a measure is defined for. On the others it has no value, rather than zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Applies {
    /// Cases that have an answer.
    Answerable,
    /// Cases that have none.
    Unanswerable,
    /// Cases that name forbidden evidence.
    WithForbidden,
}

impl Applies {
    pub(crate) fn to(self, outcome: &Outcome) -> bool {
        match self {
            Self::Answerable => outcome.is_answerable(),
            Self::Unanswerable => !outcome.is_answerable(),
            Self::WithForbidden => outcome.has_forbidden(),
        }
    }
}

/// A spelling that two tools use for two numbers.
#[derive(Debug)]
#[non_exhaustive]
pub struct Dispute {
    /// Which spelling.
    pub spelling: DisputedSpelling,
    /// Both readings; the first is the one of the compatible dialect.
    pub readings: [DisputedReading; 2],
}

/// Which spelling of a name is in dispute. Writing out the parameter settles it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DisputedSpelling {
    /// The name without a cut-off.
    WithoutCutoff,
    /// The name in any case but that of the table.
    OtherCase,
}

/// One reading of a disputed spelling.
#[derive(Debug)]
#[non_exhaustive]
pub struct DisputedReading {
    /// The gain it means.
    pub gain: Gain,
    /// Who reads it so.
    pub whose: &'static str,
}

/// A name looked up in the table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spelling {
    pub definition: &'static Definition,
    /// The gain that the name itself says.
    pub gain: Option<Gain>,
    /// Set when `trec_eval` knows the name.
    pub trec: Option<&'static TrecName>,
}

/// All measures, in the order in which they are documented.
pub fn definitions() -> &'static [Definition] {
    DEFINITIONS
}

/// The measure that goes by this name, alias or name in `trec_eval`, in any case.
///
/// The name alone: for a text with cut-off or parameters use [`Measure::parse`](crate::Measure::parse).
pub fn find(name: &str) -> Option<&'static Definition> {
    find_spelling(name).map(|spelling| spelling.definition)
}

pub(crate) fn find_spelling(name: &str) -> Option<Spelling> {
    DEFINITIONS.iter().find_map(|definition| {
        let trec = definition.trec.iter().find(|trec| trec.name.eq_ignore_ascii_case(name));
        let alias = definition.aliases.iter().find(|alias| alias.name.eq_ignore_ascii_case(name));
        let known = trec.is_some() || alias.is_some() || definition.name.eq_ignore_ascii_case(name);
        known.then(|| Spelling {
            definition,
            gain: alias.and_then(|alias| alias.gain).or(trec.and_then(|trec| trec.gain)),
            trec,
        })
    })
}

/// The cut-offs of a `trec_eval` family when none is named.
const TREC_CUTOFFS: &[u32] = &[5, 10, 15, 20, 30, 100, 200, 500, 1000];

const fn alias(name: &'static str) -> Alias {
    Alias { name, gain: None }
}

const fn trec(name: &'static str, cutoffs: &'static [u32]) -> TrecName {
    TrecName { name, gain: None, cutoffs }
}

static REL: Parameter = Parameter {
    name: "rel",
    wanted: "a whole number of at least 1",
    default: "1",
    help: "The lowest grade that counts as relevant.",
    read: |arguments, text| whole_number(text).map(|rel| arguments.rel = rel).is_some(),
    print: |arguments| arguments.rel.to_string(),
};

static PERSISTENCE: Parameter = Parameter {
    name: "p",
    wanted: "a number above 0 and below 1",
    default: "0.8",
    help: "The chance that a reader goes on from one hit to the next.",
    read: |arguments, text| {
        let number = text.parse().ok().filter(|p| 0.0 < *p && *p < 1.0);
        number.map(|p| arguments.persistence = p).is_some()
    },
    print: |arguments| arguments.persistence.to_string(),
};

static GAIN: Parameter = Parameter {
    name: "gain",
    wanted: "`exponential` or `linear`",
    default: "exponential",
    help: "What a grade is worth: 2^grade - 1, or the grade itself.",
    read: |arguments, text| {
        let gain = match text {
            "exponential" | "exp" => Gain::Exponential,
            "linear" => Gain::Linear,
            _ => return false,
        };
        arguments.gain = gain;
        true
    },
    print: |arguments| arguments.gain.as_str().to_owned(),
};

static DEFINITIONS: &[Definition] = &[
    Definition {
        name: "hit_rate",
        aliases: &[alias("hit")],
        trec: &[trec("success", &[1, 5, 10])],
        parameters: &[&REL],
        cutoff: CutoffRule::Required,
        disputes: &[],
        applies: Applies::Answerable,
        direction: Direction::HigherIsBetter,
        range: (0.0, 1.0),
        unit: "1 for a hit, else 0",
        formula: "1 if any r <= k, else 0",
        citation: "N. Craswell and D. Hawking, Overview of the TREC 2004 Web Track, TREC 2004 (success at n)",
        description: "Whether at least one need is met within the cut-off.",
        compute: found::hit_rate,
    },
    Definition {
        name: "recall",
        aliases: &[alias("context_recall"), alias("r")],
        trec: &[trec("recall", TREC_CUTOFFS)],
        parameters: &[&REL],
        cutoff: CutoffRule::Required,
        disputes: &[],
        applies: Applies::Answerable,
        direction: Direction::HigherIsBetter,
        range: (0.0, 1.0),
        unit: "share of the needs",
        formula: "|{r <= k}| / n",
        citation: "A. Kent, M. M. Berry, F. U. Luehrs and J. W. Perry, Machine literature searching VIII: \
                   operational criteria for designing information retrieval systems, American Documentation 6(2), 1955",
        description: "The share of the needs that are met within the cut-off.",
        compute: found::recall,
    },
    Definition {
        name: "all_needs",
        aliases: &[],
        trec: &[],
        parameters: &[&REL],
        cutoff: CutoffRule::Required,
        disputes: &[],
        applies: Applies::Answerable,
        direction: Direction::HigherIsBetter,
        range: (0.0, 1.0),
        unit: "1 if complete, else 0",
        formula: "1 if all r <= k, else 0",
        citation: "rankgate's own, for questions that take several pieces of evidence, as in Z. Yang et al., \
                   HotpotQA, EMNLP 2018",
        description: "Whether every need is met within the cut-off, so that the question can be answered in full.",
        compute: found::all_needs,
    },
    Definition {
        name: "mrr",
        aliases: &[alias("rr"), alias("reciprocal_rank")],
        trec: &[trec("recip_rank", &[])],
        parameters: &[&REL],
        cutoff: CutoffRule::Optional,
        disputes: &[],
        applies: Applies::Answerable,
        direction: Direction::HigherIsBetter,
        range: (0.0, 1.0),
        unit: "reciprocal of the first rank",
        formula: "1 / min r if min r <= k, else 0",
        citation: "E. M. Voorhees, The TREC-8 Question Answering Track Report, TREC 1999",
        description: "How near the top the first need is met.",
        compute: reciprocal_rank::mrr,
    },
    Definition {
        name: "ndcg",
        aliases: &[Alias { name: "ndcg_burges", gain: Some(Gain::Exponential) }],
        trec: &[TrecName { name: "ndcg_cut", gain: Some(Gain::Linear), cutoffs: TREC_CUTOFFS }],
        parameters: &[&GAIN],
        cutoff: CutoffRule::Optional,
        disputes: &[
            Dispute {
                spelling: DisputedSpelling::WithoutCutoff,
                readings: [
                    DisputedReading { gain: Gain::Linear, whose: "trec_eval" },
                    DisputedReading { gain: Gain::Exponential, whose: "most other tools" },
                ],
            },
            Dispute {
                spelling: DisputedSpelling::OtherCase,
                readings: [
                    DisputedReading { gain: Gain::Linear, whose: "ir_measures" },
                    DisputedReading { gain: Gain::Exponential, whose: "most other tools" },
                ],
            },
        ],
        applies: Applies::Answerable,
        direction: Direction::HigherIsBetter,
        range: (0.0, 1.0),
        unit: "share of the ideal gain",
        formula: "sum of gain(g) / log2(p + 1) over p <= k, divided by the same sum for the grades in \
                  descending order at places 1 to min(n, k)",
        citation: "K. Järvelin and J. Kekäläinen, Cumulated gain-based evaluation of IR techniques, ACM TOIS \
                   20(4), 2002; exponential gain: C. Burges et al., Learning to rank using gradient descent, ICML 2005",
        description: "How much of the best possible gain the list collects, high grades near the top counting most.",
        compute: ndcg::ndcg,
    },
    Definition {
        name: "map",
        aliases: &[alias("ap"), alias("average_precision")],
        trec: &[trec("map", &[]), trec("map_cut", TREC_CUTOFFS)],
        parameters: &[&REL],
        cutoff: CutoffRule::Optional,
        disputes: &[],
        applies: Applies::Answerable,
        direction: Direction::HigherIsBetter,
        range: (0.0, 1.0),
        unit: "mean precision at the needs",
        formula: "(1/n) * sum of m / p_m over p_m <= k, where p_m is the place of the m-th relevant need",
        citation: "C. Buckley and E. M. Voorhees, Retrieval system evaluation, in: TREC: Experiment and \
                   Evaluation in Information Retrieval, MIT Press, 2005",
        description: "The precision at each need, averaged over all needs: rewards meeting all of them early.",
        compute: average_precision::map,
    },
    Definition {
        name: "precision",
        aliases: &[],
        trec: &[trec("P", TREC_CUTOFFS)],
        parameters: &[&REL],
        cutoff: CutoffRule::Required,
        disputes: &[],
        applies: Applies::Answerable,
        direction: Direction::HigherIsBetter,
        range: (0.0, 1.0),
        unit: "share of k",
        formula: "|ranks <= k at which a relevant need is first met| / k",
        citation: "A. Kent, M. M. Berry, F. U. Luehrs and J. W. Perry, Machine literature searching VIII: \
                   operational criteria for designing information retrieval systems, American Documentation 6(2), 1955",
        description: "The share of the first k places that hold a hit which meets a need; a short list is not excused.",
        compute: precision::precision,
    },
    Definition {
        name: "context_precision",
        aliases: &[],
        trec: &[],
        parameters: &[&REL],
        cutoff: CutoffRule::Required,
        disputes: &[],
        applies: Applies::Answerable,
        direction: Direction::HigherIsBetter,
        range: (0.0, 1.0),
        unit: "share of the hits returned",
        formula: "|ranks <= k at which a relevant need is first met| / min(k, L); 0 for an empty list",
        citation: "as precision (Kent et al. 1955), taken over what was returned; not the rank-weighted measure \
                   of the same name in Ragas",
        description: "The share of the returned hits that meet a need; it rises when a retriever returns less.",
        compute: precision::context_precision,
    },
    Definition {
        name: "f1",
        aliases: &[],
        trec: &[],
        parameters: &[&REL],
        cutoff: CutoffRule::Required,
        disputes: &[],
        applies: Applies::Answerable,
        direction: Direction::HigherIsBetter,
        range: (0.0, 1.0),
        unit: "harmonic mean of two shares",
        formula: "2 P R / (P + R) with P = precision@k and R = recall@k; 0 if both are 0",
        citation: "C. J. van Rijsbergen, Information Retrieval, 2nd edition, Butterworths, 1979",
        description: "Precision and recall at the cut-off in one number, low when either is low.",
        compute: precision::f1,
    },
    Definition {
        name: "r_precision",
        aliases: &[alias("r-precision")],
        trec: &[trec("Rprec", &[])],
        parameters: &[&REL],
        cutoff: CutoffRule::None,
        disputes: &[],
        applies: Applies::Answerable,
        direction: Direction::HigherIsBetter,
        range: (0.0, 1.0),
        unit: "share of the needs",
        formula: "|{p <= n}| / n",
        citation: "C. Buckley and E. M. Voorhees, Retrieval system evaluation, in: TREC: Experiment and \
                   Evaluation in Information Retrieval, MIT Press, 2005",
        description: "Precision at the depth where a perfect list would have met every need.",
        compute: precision::r_precision,
    },
    Definition {
        name: "rbp",
        aliases: &[],
        trec: &[],
        parameters: &[&REL, &PERSISTENCE],
        cutoff: CutoffRule::None,
        disputes: &[],
        applies: Applies::Answerable,
        direction: Direction::HigherIsBetter,
        range: (0.0, 1.0),
        unit: "expected needs per hit read",
        formula: "(1 - p) * sum of p^(place - 1) over the relevant needs",
        citation: "A. Moffat and J. Zobel, Rank-biased precision for measurement of retrieval effectiveness, \
                   ACM TOIS 27(1), 2008",
        description: "What a reader finds per hit who goes on to the next one with probability p.",
        compute: rank_biased::rbp,
    },
    Definition {
        name: "judged",
        aliases: &[],
        trec: &[],
        parameters: &[],
        cutoff: CutoffRule::Required,
        disputes: &[],
        applies: Applies::Answerable,
        direction: Direction::HigherIsBetter,
        range: (0.0, 1.0),
        unit: "share of the hits returned",
        formula: "|hits at ranks <= min(k, L) that carry any label| / min(k, L); 0 for an empty list",
        citation: "on the problem: C. Buckley and E. M. Voorhees, Retrieval evaluation with incomplete \
                   information, SIGIR 2004",
        description: "The share of the returned hits that anyone has judged; when it is low, other values are \
                      lower bounds.",
        compute: judged::judged,
    },
    Definition {
        name: "forbidden",
        aliases: &[],
        trec: &[],
        parameters: &[],
        cutoff: CutoffRule::Required,
        disputes: &[],
        applies: Applies::WithForbidden,
        direction: Direction::LowerIsBetter,
        range: (0.0, 1.0),
        unit: "1 if present, else 0",
        formula: "1 if a forbidden hit stands at a rank <= k, else 0; mean over the cases that name some",
        citation: "rankgate's own",
        description: "Whether evidence that must not be shown stands within the cut-off.",
        compute: refusal::forbidden,
    },
    Definition {
        name: "abstained",
        aliases: &[],
        trec: &[],
        parameters: &[],
        cutoff: CutoffRule::Required,
        disputes: &[],
        applies: Applies::Unanswerable,
        direction: Direction::HigherIsBetter,
        range: (0.0, 1.0),
        unit: "1 if silent, else 0",
        formula: "1 if no hit at a rank <= k reaches the minimum score, else 0; mean over the cases without an answer",
        citation: "rankgate's own, for questions without an answer, as in P. Rajpurkar, R. Jia and P. Liang, \
                   Know What You Don't Know, ACL 2018",
        description: "Whether the retriever keeps silent on a question that the corpus cannot answer.",
        compute: refusal::abstained,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameter_defaults_are_those_of_the_arguments() {
        for parameter in DEFINITIONS.iter().flat_map(|definition| definition.parameters) {
            let mut arguments = Arguments::default();
            assert_eq!((parameter.print)(&arguments), parameter.default, "{}", parameter.name);
            assert!((parameter.read)(&mut arguments, parameter.default), "{}", parameter.name);
            assert_eq!((parameter.print)(&arguments), parameter.default, "{}", parameter.name);
        }
    }
}
