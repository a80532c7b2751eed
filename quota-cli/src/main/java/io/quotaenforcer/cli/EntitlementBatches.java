package io.quotaenforcer.cli;

import io.quotaenforcer.cli.entitlements.EntitlementCsv;
import io.quotaenforcer.cli.text.Figures;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.rule.Entitlement;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.enforcer.topics.BrokersException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Writes the entitlements of a file that was found right, many at a time. Where it fails it says
 * how much is written: a line says all about its quota key, so that the file may be imported again.
 */
final class EntitlementBatches {
  static final int AT_ONCE = 10_000;

  private final long lines;
  private final BiFunction<QuotaKey, Entitlement, ProducerRecord<byte[], byte[]>> encode;
  private final Consumer<List<ProducerRecord<byte[], byte[]>>> writer;
  private final List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>(AT_ONCE);
  private long taken;
  private long written;

  /**
   * @param lines that were found right
   * @param writer returns once the records are safe
   */
  EntitlementBatches(
      long lines,
      BiFunction<QuotaKey, Entitlement, ProducerRecord<byte[], byte[]>> encode,
      Consumer<List<ProducerRecord<byte[], byte[]>>> writer) {
    this.lines = lines;
    this.encode = encode;
    this.writer = writer;
  }

  /**
   * Writes all lines.
   *
   * @throws CommandException if Kafka does not take them, or they are not those that were found
   *     right
   */
  void write(EntitlementCsv csv) {
    try {
      csv.read(
          this::take,
          problem -> {
            throw changed(null);
          });
      flush();
    } catch (IOException e) {
      throw changed(e);
    } catch (BrokersException e) {
      throw new CommandException(ExitCode.of(e), e.getMessage() + "; " + howFar(), e);
    }
    if (taken != lines) {
      throw changed(null);
    }
  }

  private void take(List<QuotaKey> keys, Entitlement entitlement) {
    keys.forEach(key -> records.add(encode.apply(key, entitlement)));
    taken++;
    if (records.size() >= AT_ONCE) {
      flush();
    }
  }

  private void flush() {
    writer.accept(records);
    records.clear();
    written = taken;
  }

  private CommandException changed(@Nullable IOException cause) {
    return new CommandException(
        ExitCode.FAILED, "the file was changed while it was read; " + howFar(), cause);
  }

  private String howFar() {
    return "%s of %s line(s) are written for sure; import the file again, which changes nothing about those"
        .formatted(Figures.number(written), Figures.number(lines));
  }
}
