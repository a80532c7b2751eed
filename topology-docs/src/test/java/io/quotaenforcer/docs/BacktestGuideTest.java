package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.cli.Quota;
import io.quotaenforcer.lab.command.LabCommands;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BacktestGuideTest {
  private final MarkdownFile guide = MarkdownFile.read("topology-docs/backtest.md");

  @Test
  void output_isThatOfTheFirstCommand() {
    List<String> command =
        guide.quotaCommands().get(0).stream()
            .map(word -> word.replaceFirst("^topology-docs/", MarkdownFile.ROOT + "/$0"))
            .toList();
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();

    int exitCode =
        Quota.create(
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                Map.of(),
                LabCommands::create)
            .execute(command.toArray(String[]::new));

    assertThat(err.toString()).isEmpty();
    assertThat(exitCode).isZero();
    assertThat(out.toString().replace(MarkdownFile.ROOT + "/", ""))
        .isEqualTo(guide.blocks("text").get(0));
  }
}
