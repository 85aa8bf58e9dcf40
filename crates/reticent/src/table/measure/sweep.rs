//! Many settings at once: what the papers' tables and figures show.

use std::fmt::Write as _;

use serde::Serialize;

use super::Measures;
use super::page;
use crate::Error;
use crate::evaluate::{Plot, Series};
use crate::table::model::Requirement;
use crate::table::partition::Strategy;
use crate::table::protect::{PreparedTable, TableOptions};

/// The parameters of a sweep.
#[derive(Clone, Debug)]
pub struct SweepSettings {
    /// Values of k.
    pub k: Vec<usize>,
    /// Values of λ.
    pub lambda: Vec<f64>,
    /// `true` to include GDF.
    pub gdf: bool,
    /// `true` for relaxed Mondrian.
    pub relaxed: bool,
}

/// The result of one setting.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SweepPoint {
    /// The minimum number of persons in a class.
    pub k: usize,
    /// The weight of columns; nothing for GDF.
    pub lambda: Option<f64>,
    /// The measures.
    pub measures: Measures,
}

/// The results of all settings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sweep {
    /// By λ, GDF first, and by k.
    pub points: Vec<SweepPoint>,
}

/// A figure of a setting, as it is written and as it is drawn.
type Written = fn(&Measures) -> String;
type Loss = fn(&Measures) -> Option<f64>;

impl Sweep {
    /// Tries all settings on a table.
    pub fn new(prepared: &PreparedTable<'_>, settings: &SweepSettings) -> Result<Self, Error> {
        let mut points = Vec::new();
        let mondrian = settings.lambda.iter().map(|lambda| Some(*lambda));
        for lambda in settings.gdf.then_some(None).into_iter().chain(mondrian) {
            for k in &settings.k {
                let strategy = match lambda {
                    Some(lambda) => Strategy::Mondrian { lambda, relaxed: settings.relaxed },
                    None => Strategy::Gdf,
                };
                let options = TableOptions {
                    requirements: vec![Requirement::KAnonymity(*k)],
                    strategy,
                    ..TableOptions::k_anonymity(*k)
                };
                points.push(SweepPoint { k: *k, lambda, measures: prepared.measure(&options)? });
            }
        }
        Ok(Self { points })
    }

    fn ks(&self) -> Vec<usize> {
        let mut ks: Vec<usize> = self.points.iter().map(|point| point.k).collect();
        ks.sort_unstable();
        ks.dedup();
        ks
    }

    fn lambdas(&self) -> Vec<Option<f64>> {
        let mut lambdas: Vec<Option<f64>> = self.points.iter().map(|point| point.lambda).collect();
        lambdas.dedup();
        lambdas
    }

    fn at(&self, lambda: Option<f64>, k: usize) -> Option<&Measures> {
        self.points.iter().find(|point| point.lambda == lambda && point.k == k).map(|point| &point.measures)
    }

    /// A table of how many classes there are and how large, as the paper's Tables 5 and 6; then one of losses.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let figures: [(&str, Written); 6] = [
            ("classes", |measures| measures.classes.count.to_string()),
            ("average size", |measures| format!("{:.2}", measures.classes.average)),
            ("loss of columns", |measures| share(measures.loss.columns)),
            ("loss of texts", |measures| share(measures.loss.texts)),
            ("loss, both", |measures| share(Some(measures.loss.total))),
            ("cuts by texts", |measures| measures.cuts.texts.to_string()),
        ];
        let ks = self.ks();
        for (title, figure) in figures {
            let _ = write!(out, "{title:<18}");
            for k in &ks {
                let _ = write!(out, "{:>10}", format!("k={k}"));
            }
            out.push('\n');
            for lambda in self.lambdas() {
                let _ = write!(out, "  {:<16}", label(lambda));
                for k in &ks {
                    let figure = self.at(lambda, *k).map_or_else(String::new, figure);
                    let _ = write!(out, "{figure:>10}");
                }
                out.push('\n');
            }
            out.push('\n');
        }
        out
    }

    /// The figures of the paper: cuts by kind, losses over k, losses of each type.
    pub fn plots(&self) -> Vec<Plot> {
        let ks = self.ks();
        let mut plots = Vec::new();
        let middle = ks.iter().copied().find(|k| *k >= 5).or(ks.last().copied()).unwrap_or(0);
        let mut cuts = Plot::new(&format!("Cuts by columns and by texts, k = {middle}"), "lambda", "cuts");
        for (name, count) in [("columns", true), ("texts", false)] {
            let points = self.lambdas().into_iter().flatten().filter_map(|lambda| {
                let cuts = &self.at(Some(lambda), middle)?.cuts;
                Some((lambda, if count { cuts.columns } else { cuts.texts } as f64))
            });
            let points: Vec<(f64, f64)> = points.collect();
            cuts.series.push(Series::labelled(name, points, Vec::new()));
        }
        plots.push(cuts);
        let losses: [(&str, Loss); 3] = [
            ("Loss of columns", |measures| measures.loss.columns),
            ("Loss of texts", |measures| measures.loss.texts),
            ("Loss of both", |measures| Some(measures.loss.total)),
        ];
        for (title, figure) in losses {
            let mut plot = Plot::new(title, "k", "NCP");
            plot.y_range = Some((0.0, 1.0));
            for lambda in self.lambdas() {
                let points = ks.iter().filter_map(|k| Some((*k as f64, figure(self.at(lambda, *k)?)?)));
                let points: Vec<(f64, f64)> = points.collect();
                if !points.is_empty() {
                    plot.series.push(Series::labelled(&label(lambda), points, Vec::new()));
                }
            }
            if !plot.series.is_empty() {
                plots.push(plot);
            }
        }
        // The paper shows types at λ = 0.2; the nearest that was tried stands for it.
        let near =
            self.lambdas().into_iter().flatten().min_by(|a, b| (a - 0.2).abs().total_cmp(&(b - 0.2).abs()));
        if let Some(near) = near {
            let mut plot = Plot::new(&format!("Loss of each type, lambda {near}"), "k", "NCP");
            plot.y_range = Some((0.0, 1.0));
            let first = ks.first().and_then(|k| self.at(Some(near), *k));
            for kind in first.into_iter().flat_map(|measures| measures.loss.by_type.keys()) {
                let points = ks
                    .iter()
                    .filter_map(|k| Some((*k as f64, *self.at(Some(near), *k)?.loss.by_type.get(kind)?)));
                plot.series.push(Series::labelled(kind, points.collect(), Vec::new()));
            }
            if !plot.series.is_empty() {
                plots.push(plot);
            }
        }
        plots
    }

    /// As JSON.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// As a page with plots.
    pub fn html(&self) -> String {
        page::of_sweep(self)
    }
}

fn share(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{share:.3}"))
}

fn label(lambda: Option<f64>) -> String {
    lambda.map_or_else(|| "GDF".to_owned(), |lambda| format!("lambda {lambda}"))
}
