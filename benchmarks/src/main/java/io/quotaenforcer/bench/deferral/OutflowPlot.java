package io.quotaenforcer.bench.deferral;

import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** A picture of two shapes of outflow, one above the other, as SVG. */
final class OutflowPlot {
  private static final int WIDTH = 960;
  private static final int LEFT = 60;
  private static final int RIGHT = 930;
  private static final int PANEL_HEIGHT = 150;
  private static final int FIRST_TOP = 76;
  private static final int SECOND_TOP = 306;
  private static final int SECONDS_PER_MARK = 5;

  private final int rate;
  private final StringBuilder svg = new StringBuilder();

  /**
   * @param rate permits per second of both
   */
  OutflowPlot(int rate) {
    this.rate = rate;
  }

  /** The whole picture. */
  String draw(OutflowShape steady, OutflowShape windowed) {
    int height = SECOND_TOP + PANEL_HEIGHT + 54;
    svg.setLength(0);
    line(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\""
            + " aria-labelledby=\"title desc\" font-family=\"Helvetica, Arial, sans-serif\""
            + " font-size=\"13\">",
        WIDTH, height);
    line("  <title id=\"title\">How waiting requests leave a queue</title>");
    line(
        "  <desc id=\"desc\">Requests released in each tenth of a second, at %d permits per second,"
            + " while more wait than the limit lets out. With release: steady they leave one after"
            + " the other; with a fixed window and release: as-quota-frees all permits of a window"
            + " are used as soon as it begins.</desc>",
        rate);
    line("  <rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#ffffff\"/>", WIDTH, height);
    line(
        "  <text x=\"%d\" y=\"28\" font-size=\"16\" font-weight=\"bold\" fill=\"#0f172a\">Requests"
            + " released in each tenth of a second; the limit is %d per second</text>",
        LEFT, rate);
    panel(
        FIRST_TOP,
        "release: steady, token bucket: %s".formatted(words(steady)),
        "#16a34a",
        steady.released());
    panel(
        SECOND_TOP,
        "release: as-quota-frees, fixed window of 1 s: %s".formatted(words(windowed)),
        "#2563eb",
        windowed.released());
    line(
        "  <text x=\"%d\" y=\"%d\" text-anchor=\"middle\" fill=\"#475569\">seconds</text>",
        (LEFT + RIGHT) / 2, height - 12);
    line("</svg>");
    return svg.toString();
  }

  private static String words(OutflowShape shape) {
    return String.format(
        Locale.ROOT,
        "within %.1f permits of the straight line; a tenth differs by %.1f %% in the mean",
        shape.farthestPermits(),
        shape.deviationPct());
  }

  private void panel(int top, String title, String colour, List<Integer> released) {
    double share = (double) rate / OutflowShape.PER_SECOND;
    double most = Math.max(2 * share, Collections.max(released));
    int bottom = top + PANEL_HEIGHT;
    line(
        "  <text x=\"%d\" y=\"%d\" font-weight=\"bold\" fill=\"%s\">%s</text>",
        LEFT, top - 12, colour, title);
    line("  <g fill=\"%s\">", colour);
    double step = (double) (RIGHT - LEFT) / released.size();
    for (int i = 0; i < released.size(); i++) {
      double tall = released.get(i) * PANEL_HEIGHT / most;
      if (tall > 0) {
        line(
            "    <rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
            LEFT + i * step, bottom - tall, step * 0.8, tall);
      }
    }
    line("  </g>");
    double even = bottom - share * PANEL_HEIGHT / most;
    line(
        "  <line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#d97706\""
            + " stroke-dasharray=\"6 4\"/>",
        LEFT, even, RIGHT, even);
    mark(LEFT - 8, even + 4, "end", "%.0f".formatted(share));
    mark(LEFT - 8, top + 4.0, "end", "%.0f".formatted(most));
    mark(LEFT - 8, bottom + 4.0, "end", "0");
    line(
        "  <path d=\"M%d %d V%d H%d\" fill=\"none\" stroke=\"#64748b\"/>",
        LEFT, top, bottom, RIGHT);
    int seconds = released.size() / OutflowShape.PER_SECOND;
    for (int second = 0; second <= seconds; second += SECONDS_PER_MARK) {
      double x = LEFT + (double) (RIGHT - LEFT) * second / seconds;
      mark(x, bottom + 18.0, "middle", Integer.toString(second));
    }
  }

  private void mark(double x, double y, String anchor, String text) {
    line(
        "  <text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"12\""
            + " fill=\"#475569\">%s</text>",
        x, y, anchor, text);
  }

  private void line(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
