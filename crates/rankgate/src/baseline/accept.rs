//! From a report to a baseline: what may be accepted, and what is kept of it.

use std::collections::HashMap;

use super::file::{Baseline, FORMAT_VERSION, Header, KeptNeed, Line};
use super::{Accepted, Stamps};
use crate::config::{IdLevel, RuleLevel};
use crate::evaluate::Label;
use crate::gate::{Outcome, Reason, RuleStatus};
use crate::golden::{Case, GoldenSet, Need};
use crate::privacy::hashed;
use crate::report::{QuestionFacts, QuestionStatus, Report};
use crate::text::{list_of, questions};
use crate::{Error, Place, Problem, Result};

/// Refuses a report that must not become the baseline. With `forced` a failed gate, a rule that could not be judged and
/// a baseline that could not be compared are let through; what is no whole run of today's questions never is.
pub fn check(report: &Report, golden: &GoldenSet, forced: bool) -> Result<()> {
    let mut problems = Vec::new();
    let mut refuse =
        |what: String, hint: &str| problems.push(Problem::new(Place::default(), what).hint(hint));
    if let Some(partial) = &report.partial {
        refuse(
            format!("a run of some questions cannot be accepted ({partial})"),
            "accept a run of the whole golden set",
        );
    }
    if report.golden.sha256 != golden.sha256 {
        refuse(
            format!("the golden set has changed since the report: {}", golden.path.display()),
            "run again, and accept that report",
        );
    }
    let mut ids: Vec<&str> = report.questions.iter().map(|question| question.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    if report.partial.is_none()
        && (ids.len() != report.questions.len() || ids.len() != golden.cases.len())
        && report.golden.sha256 == golden.sha256
    {
        refuse(
            format!(
                "the report does not hold every question of the golden set once: it has {} of {}",
                ids.len(),
                questions(golden.cases.len())
            ),
            "accept a report as `rankgate run` wrote it",
        );
    }
    for incomplete in &report.verdict.incomplete {
        if !(forced && incomplete.code == "not_comparable") {
            let hint =
                if incomplete.code == "not_comparable" { FORCE } else { "accept a run that is complete" };
            refuse(format!("the run has no verdict: {}", incomplete.message), hint);
        }
    }
    if !forced && report.verdict.incomplete.is_empty() {
        let rules = || report.verdict.rules.iter().filter(|rule| rule.level == RuleLevel::Fail);
        let failed: Vec<&str> =
            rules().filter(|rule| rule.status == RuleStatus::Failed).map(|rule| rule.rule.as_str()).collect();
        if report.verdict.outcome == Outcome::Failed {
            refuse(format!("the gate failed: {}", list_of(&failed, 5)), FORCE);
        }
        for rule in rules().filter(|rule| rule.status == RuleStatus::Unjudged) {
            match rule.reason {
                // What accepting is for.
                Some(Reason::NoBaseline) => {}
                reason => {
                    let why = reason.map_or("not judged", Reason::words);
                    refuse(format!("`{}` could not be judged: {why}", rule.rule), FORCE);
                }
            }
        }
    }
    Error::unless_empty(problems)
}

const FORCE: &str = "if that is intended, add `--force --reason \"why\"` to this command";

/// Makes a baseline of a report. The golden set is the one of the report.
pub fn baseline(report: &Report, golden: &GoldenSet, accepted: Accepted) -> Baseline {
    let hashed_ids = report.privacy.ids == IdLevel::Hash;
    let cases: HashMap<String, &Case> = golden
        .cases
        .iter()
        .map(|case| (if hashed_ids { hashed(&case.id) } else { case.id.clone() }, case))
        .collect();
    let mut lines: Vec<Line> = report
        .questions
        .iter()
        .filter_map(|question| cases.get(&question.id).map(|case| line(question, case)))
        .collect();
    lines.sort_by(|a, b| a.id.cmp(&b.id));
    Baseline {
        header: Header {
            rankgate_baseline: FORMAT_VERSION,
            rankgate: report.rankgate.clone(),
            name: report.name.clone(),
            accepted,
            hashed_ids,
            made_from: Stamps::of(report),
            // `render` knows it.
            lines_sha256: String::new(),
        },
        lines,
    }
}

fn line(question: &QuestionFacts, case: &Case) -> Line {
    let labelled = (1..).zip(&question.retrieved).filter(|(_, hit)| hit.label != Label::Unjudged);
    Line {
        id: question.id.clone(),
        digest: case.digest.clone(),
        question: case.question_digest(),
        category: question.category.clone(),
        answerable: question.answerable,
        failed: question.status == QuestionStatus::Unscored,
        needs: question
            .expected
            .iter()
            .zip(case.needs.iter().map(Need::digest))
            .map(|(need, digest)| KeptNeed { grade: need.grade, rank: need.rank, need: digest })
            .collect(),
        labelled: labelled.map(|(rank, _)| rank).collect(),
        forbidden: (!question.forbidden.is_empty()).then(|| question.forbidden_rank.unwrap_or(0)),
        answered: (!question.answerable).then(|| question.answered_rank.unwrap_or(0)),
        ranking: Line::ranking_of(&question.retrieved),
    }
}
