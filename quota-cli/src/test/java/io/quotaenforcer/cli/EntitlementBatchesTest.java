package io.quotaenforcer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.quotaenforcer.cli.entitlements.EntitledRule;
import io.quotaenforcer.cli.entitlements.EntitlementCsv;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.rule.Entitlements;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class EntitlementBatchesTest {
  private static final Rule RULE =
      Rule.of(new RuleId("api", "calls"), List.of("tenant"), new FixedWindow(9, 1_000_000_000L))
          .withEntitlements(Entitlements.NO_PLANS);

  @TempDir Path folder;

  private final List<String> written = new ArrayList<>();

  private void write(String text, long lines, Consumer<Integer> onBatch) throws IOException {
    Path file = Files.writeString(folder.resolve("tenants.csv"), text);
    List<Integer> batches = new ArrayList<>();
    new EntitlementBatches(
            lines,
            (key, entitlement) ->
                new ProducerRecord<>(
                    "entitlements", key.toString().getBytes(StandardCharsets.UTF_8)),
            records -> {
              onBatch.accept(batches.size());
              batches.add(records.size());
              records.forEach(
                  each -> written.add(new String(each.value(), StandardCharsets.UTF_8)));
            })
        .write(new EntitlementCsv(file, new EntitledRule(RULE, HashKeys.NONE)));
  }

  private static String lines(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "t" + i + ",5\n")
        .collect(Collectors.joining("", "tenant,permits\n", ""));
  }

  @Test
  void everyLine_isWrittenOnce() throws IOException {
    int count = 2 * EntitlementBatches.AT_ONCE + 1;
    write(lines(count), count, batch -> {});

    assertThat(written)
        .isEqualTo(IntStream.range(0, count).mapToObj(i -> "api/calls/t" + i).toList());
  }

  @Test
  void failureMidway_saysHowFarItGot_andThatTheFileMayBeImportedAgain() {
    CommandException failure =
        catchThrowableOfType(
            CommandException.class,
            () ->
                write(
                    lines(25_000),
                    25_000,
                    batch -> {
                      if (batch == 2) {
                        throw FailedBrokers.failure();
                      }
                    }));

    assertThat(failure)
        .hasMessageStartingWith(FailedBrokers.MESSAGE)
        .hasMessageEndingWith(
            "; 20,000 of 25,000 line(s) are written for sure; import the file again, which changes"
                + " nothing about those");
    assertThat(failure.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
  }

  /** Empty, with a line less, with one more, with another header, with a line that is wrong. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "tenant,permits\na,1\n",
        "tenant,permits\na,1\nb,2\nc,3\n",
        "permits\n1\n2\n",
        "tenant,permits\na,1\nb,many\n"
      })
  void fileThatIsAnotherOneMeanwhile_isNotSaidToBeImported(String now) {
    CommandException failure =
        catchThrowableOfType(CommandException.class, () -> write(now, 2, batch -> {}));

    assertThat(failure)
        .hasMessageStartingWith("the file was changed while it was read; ")
        .hasMessageContaining("import the file again");
    assertThat(failure.exitCode()).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void fileThatCannotBeReadTwice_isRefusedBeforeAnythingElse() {
    QuotaRun run = QuotaRun.of("entitlements", "import", "--rule=api/calls", folder.toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .isEqualTo(
            "error: "
                + folder
                + " is no regular file, and is read twice: before anything is written, and to write"
                + " it; write what it gives to a file first, and import that\n");
  }
}
