package io.quotaenforcer.docs;

import io.quotaenforcer.cli.Quota;
import io.quotaenforcer.lab.command.LabCommands;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Map;
import picocli.AutoComplete;

/** What bash completes of {@code quota}. */
final class CompletionFile {
  private CompletionFile() {}

  static Page write() {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    return new Page(
        "../quota-lab/src/main/dist/completions/quota",
        AutoComplete.bash("quota", Quota.create(nowhere, nowhere, Map.of(), LabCommands::create)));
  }
}
