package io.quotaenforcer.bench.topology;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Curves of what grows, one panel below the other, as SVG. */
final class GrowthPlot {
  private static final int WIDTH = 960;
  private static final int LEFT = 70;
  private static final int RIGHT = 930;
  private static final int PANEL_HEIGHT = 130;
  private static final int PANEL_STEP = 220;
  private static final int FIRST_TOP = 76;

  private final StringBuilder svg = new StringBuilder();

  /** One line of a panel. */
  private record Curve(String words, String colour, ToDoubleFunction<GrowthResult> figure) {}

  /** The whole picture. */
  String draw(GrowthFigures figures) {
    svg.setLength(0);
    int height = FIRST_TOP + 3 * PANEL_STEP - 30;
    line(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\""
            + " aria-labelledby=\"title desc\" font-family=\"Helvetica, Arial, sans-serif\""
            + " font-size=\"13\">",
        WIDTH, height);
    line("  <title id=\"title\">What counting costs as it grows</title>");
    line(
        "  <desc id=\"desc\">Processor time of an enforcer for a cell update by quota keys and by"
            + " reporting instances, and bytes that an instance is sent and fetches for a request by"
            + " reporting instances.</desc>");
    line("  <rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#ffffff\"/>", WIDTH, height);
    line(
        "  <text x=\"%d\" y=\"28\" font-size=\"16\" font-weight=\"bold\" fill=\"#0f172a\">What"
            + " counting costs as it grows</text>",
        LEFT);
    Curve update =
        new Curve("us of an enforcer per cell update", "#2563eb", r -> r.microsPerUpdate());
    panel(0, "quota keys", figures.byKeys(), r -> r.point().keys(), List.of(update));
    panel(1, "instances", figures.byInstances(), r -> r.point().instances(), List.of(update));
    panel(
        2,
        "instances",
        figures.byInstances(),
        r -> r.point().instances(),
        List.of(
            new Curve(
                "bytes addressed to an instance, per request",
                "#16a34a",
                r -> r.bytesAddressedPerRequest()),
            new Curve(
                "bytes that it fetches, per request", "#d97706", r -> r.bytesFetchedPerRequest())));
    line("</svg>");
    return svg.toString();
  }

  private void panel(
      int index,
      String axis,
      List<GrowthResult> results,
      ToDoubleFunction<GrowthResult> size,
      List<Curve> curves) {
    int top = FIRST_TOP + index * PANEL_STEP;
    int bottom = top + PANEL_HEIGHT;
    double most =
        curves.stream()
            .flatMapToDouble(curve -> results.stream().mapToDouble(curve.figure))
            .max()
            .orElse(1);
    double least = results.stream().mapToDouble(size).min().orElse(1);
    double widest = results.stream().mapToDouble(size).max().orElse(10);
    double decades = Math.max(Math.log10(widest / least), 1e-9);
    int x = LEFT;
    for (Curve curve : curves) {
      line(
          "  <text x=\"%d\" y=\"%d\" font-weight=\"bold\" fill=\"%s\">%s</text>",
          x, top - 12, curve.colour, curve.words);
      x += (RIGHT - LEFT) / 2;
      StringBuilder points = new StringBuilder();
      for (GrowthResult result : results) {
        double at = at(size.applyAsDouble(result), least, decades);
        double y = bottom - curve.figure.applyAsDouble(result) * PANEL_HEIGHT / most;
        points.append(String.format(Locale.ROOT, "%.1f,%.1f ", at, y));
        line("  <circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>", at, y, curve.colour);
        mark(at, y - 7, "middle", "%.1f".formatted(curve.figure.applyAsDouble(result)));
      }
      line(
          "  <polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>",
          points.toString().strip(), curve.colour);
    }
    mark(LEFT - 8, bottom + 4.0, "end", "0");
    line(
        "  <path d=\"M%d %d V%d H%d\" fill=\"none\" stroke=\"#64748b\"/>",
        LEFT, top, bottom, RIGHT);
    for (GrowthResult result : results) {
      double value = size.applyAsDouble(result);
      mark(at(value, least, decades), bottom + 18.0, "middle", "%,.0f".formatted(value));
    }
    mark((LEFT + RIGHT) / 2.0, bottom + 36.0, "middle", axis);
  }

  /** Sizes stand by their logarithm. */
  private static double at(double size, double least, double decades) {
    return LEFT + 30 + (RIGHT - LEFT - 60) * Math.log10(size / least) / decades;
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
