package io.quotaenforcer.bench.decision;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.format.OutputFormat;

/** Keeps what JMH and its JVMs say, for the case that something fails. */
final class QuietOutput implements OutputFormat {
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  /** What was said. */
  synchronized List<String> lines() {
    return new ArrayList<>(said.toString(StandardCharsets.UTF_8).lines().toList());
  }

  @Override
  public void print(String text) {
    write(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void println(String text) {
    print(text + "\n");
  }

  @Override
  public synchronized void write(int oneByte) {
    said.write(oneByte);
  }

  @Override
  public synchronized void write(byte[] bytes) {
    said.writeBytes(bytes);
  }

  @Override
  public void verbosePrintln(String text) {
    // Nobody asked for it.
  }

  @Override
  public void iteration(BenchmarkParams benchmark, IterationParams parameters, int number) {
    // Nothing has happened.
  }

  @Override
  public void iterationResult(
      BenchmarkParams benchmark, IterationParams parameters, int number, IterationResult result) {
    // It is in the result of all.
  }

  @Override
  public void startBenchmark(BenchmarkParams benchmark) {
    // The command has said so.
  }

  @Override
  public void endBenchmark(BenchmarkResult result) {
    // It is in the result of the run.
  }

  @Override
  public void startRun() {
    // The command has said so.
  }

  @Override
  public void endRun(Collection<RunResult> results) {
    // They are returned.
  }

  @Override
  public void flush() {
    // Nothing is held back.
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
