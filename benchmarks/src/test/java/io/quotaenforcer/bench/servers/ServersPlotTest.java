package io.quotaenforcer.bench.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class ServersPlotTest {
  private static final Course COURSE = new Course(10, 20, 10);

  private static List<ServerSecond> seconds() {
    List<ServerSecond> all = new ArrayList<>();
    for (int second = 0; second < COURSE.seconds(); second++) {
      for (int server = 0; server < ServerTrial.SERVERS; server++) {
        boolean isSlow = server == 0 && COURSE.isSlow(second);
        all.add(
            new ServerSecond(
                second, server, 170, isSlow ? 97 : 170, isSlow ? 73 : 0, 0, isSlow ? 120 : 25));
      }
    }
    return all;
  }

  @Test
  void row_isOfTheTimeOnceItHasSettled() {
    ServersRow row = ServersRow.of("follows", COURSE, seconds());
    assertThat(row.slowedGood()).isEqualTo(97);
    assertThat(row.slowedP99Millis()).isEqualTo(120);
    assertThat(row.othersGood()).isEqualTo(170);
    assertThat(row.othersThrottled()).isZero();
    assertThat(row.afterGood()).isEqualTo(170);
  }

  @Test
  void counts_ofASecond_tellGoodThrottledAndFailed() {
    ServerSecond.Counts counts = new ServerSecond.Counts();
    for (int status : new int[] {200, 200, 429, 503, 0}) {
      counts.sent();
      counts.answered(status, 10_000_000L);
    }
    ServerSecond second = counts.of(3, 1);
    assertThat(second.sent()).isEqualTo(5);
    assertThat(second.good()).isEqualTo(2);
    assertThat(second.throttled()).isEqualTo(1);
    assertThat(second.failed()).isEqualTo(2);
    assertThat(second.p99Millis()).isBetween(9.9, 10.1);
  }

  @Test
  void picture_isAnSvgWithALineForEachServerInEachPanel() throws Exception {
    ServersRow row = ServersRow.of("follows <each>", COURSE, seconds());
    String svg = new ServersPlot(COURSE, List.of(row, row)).svg();
    Document parsed =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(svg)));
    assertThat(parsed.getElementsByTagName("polyline").getLength())
        .isEqualTo(2 * 2 * ServerTrial.SERVERS);
  }
}
