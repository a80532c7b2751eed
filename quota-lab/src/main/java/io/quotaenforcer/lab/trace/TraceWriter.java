package io.quotaenforcer.lab.trace;

import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.verdict.DecisionConsumer;
import io.quotaenforcer.lab.verdict.KeyEntry;
import io.quotaenforcer.lab.verdict.VerdictTerms;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Writes decisions as {@code <instance>.csv}, and beside them {@code rules.yaml} and {@code
 * rules.json}. Give it merged decisions, so that the thread that decides never waits for a disk.
 */
public final class TraceWriter implements DecisionConsumer, AutoCloseable {
  private final Path directory;
  private final Set<Integer> known = new HashSet<>();
  private final Map<String, RuleFacts> overridden = new HashMap<>();
  private final Set<String> denied = new HashSet<>();
  private TraceFacts facts;
  private final List<String> instances;
  private final List<BufferedWriter> files = new ArrayList<>();
  private final StringBuilder line = new StringBuilder(160);

  private TraceWriter(Path directory, TraceFacts facts) {
    this.directory = directory;
    this.facts = facts;
    this.instances = facts.instances();
  }

  /**
   * Creates the directory, or overwrites the trace in it.
   *
   * @param rulesYaml the rules as a user would write them
   */
  public static TraceWriter open(
      Path directory,
      List<String> instances,
      VerdictTerms terms,
      long countDelayNanos,
      List<Rule> rules,
      String rulesYaml)
      throws IOException {
    TraceFacts facts = TraceFacts.of(instances, terms, countDelayNanos, rules);
    for (String instance : instances) {
      if (!instance.matches("[A-Za-z0-9._-]+")) {
        throw new IllegalArgumentException("must be usable as a file name: instance=" + instance);
      }
    }
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("rules.yaml"), rulesYaml);
    TraceWriter writer = new TraceWriter(directory, facts);
    writer.write();
    try {
      for (String instance : instances) {
        BufferedWriter file = Files.newBufferedWriter(directory.resolve(instance + ".csv"));
        writer.files.add(file);
        file.write(TraceRow.HEADER + "\n");
      }
    } catch (IOException e) {
      writer.close();
      throw e;
    }
    return writer;
  }

  /**
   * Sets the loop time by which balanced rules are judged; without it, they are judged by the worst
   * case.
   */
  public void measured(long loopNanos) throws IOException {
    facts = facts.withLoop(loopNanos);
    write();
  }

  private void write() throws IOException {
    Files.writeString(directory.resolve(TraceFacts.FILE_NAME), facts.toJson());
  }

  /** A reader must know a key's override before its first row. */
  private void note(KeyEntry key) throws IOException {
    String text = key.quotaKey().toString();
    if (key.rule().denies(key.quotaKey())) {
      denied.add(text);
    } else if (!key.limit().equals(key.rule().limits().get(0))) {
      overridden.put(text, RuleFacts.of(key.rule(), key.limit()));
    } else {
      return;
    }
    facts = facts.withOverrides(overridden, denied);
    write();
  }

  @Override
  public void accept(
      long stampNanos,
      int instance,
      KeyEntry key,
      long cost,
      PermitSource source,
      long windowStartNanos) {
    boolean labelled =
        key.limit() instanceof WindowedLimit
            && (source != PermitSource.NONE || windowStartNanos != 0);
    TraceRow row =
        new TraceRow(
            stampNanos / 1000,
            instances.get(instance),
            key.rule().id().toString(),
            key.quotaKey().toString(),
            cost,
            source,
            labelled ? OptionalLong.of(windowStartNanos / 1000) : OptionalLong.empty());
    line.setLength(0);
    row.appendTo(line);
    try {
      if (known.add(key.id())) {
        note(key);
      }
      files.get(instance).append(line);
    } catch (IOException e) {
      throw new UncheckedIOException("trace of " + instances.get(instance), e);
    }
  }

  /** Hands buffered output to the operating system, so that it outlives this process. */
  public void flush() {
    try {
      for (BufferedWriter file : files) {
        file.flush();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("trace of " + instances, e);
    }
  }

  /** Closes every file; the first failure is thrown once all have been tried. */
  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (BufferedWriter file : files) {
      try {
        file.close();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
