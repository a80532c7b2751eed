package io.quotaenforcer.bench.servers;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * A picture of what came of each second: good answers above, the slowest answers below, a column
 * for each limit.
 */
record ServersPlot(Course course, List<ServersRow> rows) {
  private static final int WIDTH = 360;
  private static final int HEIGHT = 150;
  private static final int LEFT = 56;
  private static final int TOP = 48;
  private static final int GAP = 44;
  private static final List<String> COLOURS = List.of("#c8442e", "#2f6db5", "#3a8f5c");
  private static final String STYLE =
      "<style>text{font:12px sans-serif;fill:#222}.axis{stroke:#888}.grid{stroke:#ddd}"
          + ".slow{fill:#f6ead2}.line{fill:none;stroke-width:1.6}"
          + "@media(prefers-color-scheme:dark){text{fill:#ddd}.grid{stroke:#444}.slow{fill:#3a3222}}"
          + "</style>";

  /** One of the small plots. */
  private record Panel(String title, double most, ToDoubleFunction<ServerSecond> value) {}

  String svg() {
    List<Panel> panels =
        List.of(
            new Panel("good answers a second", ServerTrial.CAPACITY, ServerSecond::good),
            new Panel(
                "p99 of what was admitted, ms",
                ServerTrial.PATIENCE.toMillis() * 1.2,
                ServerSecond::p99Millis));
    int width = LEFT + rows.size() * (WIDTH + GAP);
    int height = TOP + panels.size() * (HEIGHT + GAP) + 20;
    StringBuilder svg =
        new StringBuilder(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">"
                .formatted(width, height));
    svg.append("<title>Three servers, one of which is half as fast for a while</title>");
    svg.append(STYLE);
    for (int column = 0; column < rows.size(); column++) {
      int x = LEFT + column * (WIDTH + GAP);
      svg.append(text(x, 18, "The limit " + rows.get(column).limit(), "start"));
      for (int i = 0; i < panels.size(); i++) {
        svg.append(panel(x, TOP + i * (HEIGHT + GAP), panels.get(i), rows.get(column)));
      }
    }
    svg.append(legend(height - 8));
    return svg.append("</svg>\n").toString();
  }

  private String panel(int x, int y, Panel panel, ServersRow row) {
    StringBuilder part = new StringBuilder();
    int from = x(course.healthy());
    part.append(
        "<rect class=\"slow\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>"
            .formatted(x + from, y, x(course.healthy() + course.slow()) - from, HEIGHT));
    for (int i = 0; i <= 4; i++) {
      double value = panel.most * i / 4;
      int at = y + HEIGHT - HEIGHT * i / 4;
      part.append(
          "<line class=\"grid\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>"
              .formatted(x, at, x + WIDTH, at));
      part.append(text(x - 6, at + 4, String.format(Locale.ROOT, "%.0f", value), "end"));
    }
    part.append(text(x, y - 6, panel.title, "start"));
    for (int second = 0; second <= course.seconds(); second += 10) {
      part.append(text(x + x(second), y + HEIGHT + 15, second + " s", "middle"));
    }
    for (int server = ServerTrial.SERVERS - 1; server >= 0; server--) {
      part.append(line(x, y, panel, row, server));
    }
    return part.toString();
  }

  private String line(int x, int y, Panel panel, ServersRow row, int server) {
    String points =
        row.seconds().stream()
            .filter(each -> each.server() == server)
            .map(
                each -> {
                  double part = Math.min(1, panel.value.applyAsDouble(each) / panel.most);
                  return String.format(
                      Locale.ROOT, "%d,%.1f", x + x(each.second() + 0.5), y + HEIGHT * (1 - part));
                })
            .collect(Collectors.joining(" "));
    return "<polyline class=\"line\" stroke=\"%s\" points=\"%s\"/>"
        .formatted(COLOURS.get(server), points);
  }

  private static String legend(int y) {
    StringBuilder legend = new StringBuilder();
    for (int server = 0; server < ServerTrial.SERVERS; server++) {
      int x = LEFT + server * 190;
      legend.append(
          "<line stroke=\"%s\" stroke-width=\"2\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>"
              .formatted(COLOURS.get(server), x, y - 4, x + 20, y - 4));
      String name = "server " + (server + 1) + (server == 0 ? ", half as fast" : "");
      legend.append(text(x + 26, y, name, "start"));
    }
    return legend.toString();
  }

  private int x(double second) {
    return (int) Math.round(WIDTH * second / course.seconds());
  }

  private static String text(int x, int y, String text, String anchor) {
    return "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>"
        .formatted(x, y, anchor, text.replace("&", "&amp;").replace("<", "&lt;"));
  }
}
