package io.verbena.bench.report;

import io.verbena.bench.run.Goal;
import io.verbena.bench.run.Outcome;
import io.verbena.report.Axis;
import io.verbena.report.Numbers;
import io.verbena.report.Scale;
import io.verbena.report.Svg;
import io.verbena.report.XmlText;
import java.util.List;

/// One bar for each goal: how far the result is beyond the target (to the right, green) or behind it (to the left,
/// red).
final class GoalBars {
    private static final int WIDTH = 1080;
    private static final int ROW = 34;
    private static final int TOP = 26;
    private static final int TEXT_END = 560;
    private static final int BAR_START = 580;
    private static final int BAR_END = 900;
    private static final double FARTHEST = 10;
    private static final int BAR_HEIGHT = 16;

    private final Svg svg = new Svg();
    private final Scale axis = Axis.logarithmic("", 1 / FARTHEST, FARTHEST).between(BAR_START, BAR_END);

    private GoalBars() {}

    static String of(List<Outcome> outcomes) {
        GoalBars bars = new GoalBars();
        int height = TOP + outcomes.size() * ROW + 10;
        bars.svg.add("<svg class='goals' viewBox='0 0 %d %d' role='img' aria-label='goals'>", WIDTH, height);
        double goal = bars.axis.pixel(1);
        bars.svg.add("<text class='small' x='%.0f' y='14' text-anchor='middle'>the goal</text>", goal);
        bars.svg.add(
                "<text class='small' x='%d' y='14'>ten times behind</text>"
                        + "<text class='small' x='%d' y='14' text-anchor='end'>ten times beyond</text>",
                BAR_START, BAR_END);
        for (int i = 0; i < outcomes.size(); i++) {
            bars.row(outcomes.get(i), TOP + i * ROW);
        }
        bars.svg.add("<line class='target' x1='%.1f' x2='%.1f' y1='20' y2='%d'/></svg>", goal, goal, height - 6);
        return bars.svg.toString();
    }

    private void row(Outcome outcome, int y) {
        Goal goal = outcome.goal();
        int middle = y + ROW / 2;
        svg.add("<text x='%d' y='%d' text-anchor='end'>%s</text>", TEXT_END, middle - 2, XmlText.escape(goal.what()));
        String against = goal.against().isEmpty() ? "" : "against " + goal.against();
        svg.add(
                "<text class='small' x='%d' y='%d' text-anchor='end'>%s</text>",
                TEXT_END, middle + 12, XmlText.escape(against));
        svg.add(
                "<rect class='track' x='%d' y='%d' width='%d' height='%d'/>",
                BAR_START, y + 9, BAR_END - BAR_START, BAR_HEIGHT);
        String kind = outcome.met() ? "good" : outcome.isSkipped() ? "none" : "bad";
        if (!outcome.isSkipped()) {
            double from = axis.pixel(1);
            double to = axis.pixel(standing(outcome));
            svg.add(
                    "<rect class='%s' x='%.1f' y='%d' width='%.1f' height='%d'><title>%s</title></rect>",
                    kind,
                    Math.min(from, to),
                    y + 9,
                    Math.max(3, Math.abs(to - from)),
                    BAR_HEIGHT,
                    XmlText.escape(explanation(outcome)));
        }
        svg.add(
                "<text class='%s-text' x='%d' y='%d'>%s</text>",
                kind, BAR_END + 14, middle + 4, XmlText.escape(label(outcome)));
    }

    /// Above 1 when the goal is met, for both directions of goals.
    private static double standing(Outcome outcome) {
        double ratio = outcome.ratio().median();
        if (Double.isNaN(ratio)) {
            return outcome.met() ? FARTHEST : 1 / FARTHEST;
        }
        double target = outcome.goal().target();
        return outcome.goal().atMost() ? target / ratio : ratio / target;
    }

    private static String label(Outcome outcome) {
        if (outcome.isSkipped()) {
            return outcome.isLeftOut() ? "left out" : "skipped";
        }
        String wanted =
                outcome.goal().sign() + " " + Numbers.rounded(outcome.goal().target());
        double ratio = outcome.ratio().median();
        return Double.isNaN(ratio) ? (outcome.met() ? "met" : "missed") : Numbers.rounded(ratio) + ", wanted " + wanted;
    }

    private static String explanation(Outcome outcome) {
        return Numbers.rounded(outcome.ours()) + " against " + Numbers.rounded(outcome.peer()) + " "
                + outcome.goal().metric().unit() + ", quartiles of the ratio " + Spreads.text(outcome.ratio())
                + (outcome.remark().isEmpty() ? "" : "; " + outcome.remark());
    }
}
