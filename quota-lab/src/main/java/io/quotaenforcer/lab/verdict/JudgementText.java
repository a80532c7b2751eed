package io.quotaenforcer.lab.verdict;

import java.util.List;

/** The last lines of a report: whether promises were kept, and if not, which. */
public final class JudgementText {
  private JudgementText() {}

  /**
   * Ready to print.
   *
   * @param notJudged possibly broken promises that the machine was too slow to judge
   */
  public static String of(List<String> broken, List<String> notJudged, RunPace pace) {
    StringBuilder text = new StringBuilder();
    if (!notJudged.isEmpty()) {
      text.append("not judged: the machine was too slow (").append(pace.text()).append("):\n");
      notJudged.forEach(line -> text.append("  ").append(line).append('\n'));
    }
    if (broken.isEmpty()) {
      return text.append(notJudged.isEmpty() ? "PROMISES KEPT" : "PROMISES KEPT as far as judged")
          .append('\n')
          .toString();
    }
    text.append("PROMISES BROKEN: ").append(String.join("; ", broken));
    return text.append('\n').toString();
  }
}
