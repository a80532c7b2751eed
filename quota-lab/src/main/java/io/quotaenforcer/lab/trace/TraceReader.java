package io.quotaenforcer.lab.trace;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.verdict.DecisionConsumer;
import io.quotaenforcer.lab.verdict.KeyTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the decisions of a trace, merged over all instances in the order of their stamps. */
public final class TraceReader {
  private final Path directory;
  private final TraceFacts facts;

  private TraceReader(Path directory, TraceFacts facts) {
    this.directory = directory;
    this.facts = facts;
  }

  public static TraceReader open(Path directory) throws IOException {
    String json = Files.readString(directory.resolve(TraceFacts.FILE_NAME));
    return new TraceReader(directory, TraceFacts.parse(json));
  }

  public TraceFacts facts() {
    return facts;
  }

  /** The traced rules, as far as a verdict needs them. */
  public List<Rule> rules() {
    return facts.toRules();
  }

  /** Reads all rows; never holds more than one per instance. */
  public void forEach(Consumer<TraceRow> consumer) throws IOException {
    forEach((instance, row) -> consumer.accept(row));
  }

  /** Feeds all decisions to a consumer as a merge of the instances' logs would. */
  public void replay(DecisionConsumer consumer) throws IOException {
    KeyTable keys = new KeyTable(rules());
    forEach(
        (instance, row) ->
            consumer.accept(
                row.epochMicros() * 1000,
                instance,
                keys.of(QuotaKey.parse(row.key())),
                row.cost(),
                row.source(),
                row.windowStartMicros().orElse(0) * 1000));
  }

  private void forEach(RowConsumer consumer) throws IOException {
    List<Source> sources = new ArrayList<>();
    try {
      for (String instance : facts.instances()) {
        sources.add(new Source(directory.resolve(instance + ".csv")));
      }
      Optional<Integer> earliest = earliest(sources);
      while (earliest.isPresent()) {
        Source source = sources.get(earliest.get());
        consumer.accept(earliest.get(), source.take());
        earliest = earliest(sources);
      }
    } finally {
      for (Source source : sources) {
        source.reader.close();
      }
    }
  }

  private static Optional<Integer> earliest(List<Source> sources) {
    int earliest = -1;
    long micros = Long.MAX_VALUE;
    for (int i = 0; i < sources.size(); i++) {
      TraceRow row = sources.get(i).next;
      if (row != null && (earliest < 0 || row.epochMicros() < micros)) {
        earliest = i;
        micros = row.epochMicros();
      }
    }
    return earliest < 0 ? Optional.empty() : Optional.of(earliest);
  }

  private interface RowConsumer {
    void accept(int instance, TraceRow row);
  }

  private static final class Source {
    final Path file;
    final BufferedReader reader;
    int lineNumber = 1;
    @Nullable TraceRow next;

    Source(Path file) throws IOException {
      this.file = file;
      this.reader = Files.newBufferedReader(file);
      if (!TraceRow.HEADER.equals(reader.readLine())) {
        reader.close();
        throw new IllegalArgumentException("must begin with " + TraceRow.HEADER + ": " + file);
      }
      next = read();
    }

    TraceRow take() throws IOException {
      TraceRow taken = next;
      if (taken == null) {
        throw new IllegalStateException("must have a row left: " + file);
      }
      next = read();
      if (next != null && next.epochMicros() < taken.epochMicros()) {
        throw new IllegalArgumentException(
            "must be in the order of epochMicros: " + file.getFileName() + ":" + lineNumber);
      }
      return taken;
    }

    private @Nullable TraceRow read() throws IOException {
      String line = reader.readLine();
      lineNumber++;
      try {
        return line == null ? null : TraceRow.parse(line);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            file.getFileName() + ":" + lineNumber + ": " + e.getMessage(), e);
      }
    }
  }
}
