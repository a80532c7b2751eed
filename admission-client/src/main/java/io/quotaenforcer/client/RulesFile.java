package io.quotaenforcer.client;

import io.quotaenforcer.client.internal.config.AdmissionConfig;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that holds the rules as they were last known, for the next start. It is replaced as a
 * whole, ends with a checksum, and needs no schema registry. What cannot be read is as good as not
 * there.
 */
final class RulesFile {
  static final int MOST_BYTES = 64 << 20;

  private static final Logger log = LoggerFactory.getLogger(RulesFile.class);
  private static final long MAGIC = 0x51554f54_52554c45L;
  private static final int VERSION = 1;

  /** Its topics do not matter: nothing is written to them. */
  private static final Wire WIRE = Wire.of("quota.", Codecs.withoutRegistry());

  private static final int CHECKSUM_BYTES = Integer.BYTES;

  private final Path path;
  private final String scope;

  /**
   * The content of the file.
   *
   * @param asOf when these were the rules in force
   * @param maxInstances there may be; 0 if that was not known
   */
  record Content(Instant asOf, int maxInstances, RuleSet rules) {}

  /**
   * @param topic that the rules come from
   * @param domains whose rules it holds; another client's file is of no use
   */
  RulesFile(Path path, String topic, String domains) {
    this.path = path.toAbsolutePath();
    this.scope = topic + " " + domains;
  }

  /** The file of {@code rules.cache}; empty where there is none. */
  static Optional<RulesFile> of(AdmissionConfig config) {
    String topic = config.wire().topics().rules().name();
    String domains = String.join(",", new TreeSet<>(config.domains()));
    return config.deciding().rulesCache().map(path -> new RulesFile(path, topic, domains));
  }

  Path path() {
    return path;
  }

  /** Its content; empty, with a line in the log, if that is not what was written. */
  Optional<Content> read() {
    try {
      if (!Files.exists(path)) {
        return Optional.empty();
      }
      if (Files.size(path) > MOST_BYTES) {
        throw new IOException("it is larger than " + MOST_BYTES + " bytes");
      }
      return Optional.of(decode(Files.readAllBytes(path)));
    } catch (IOException | RuntimeException e) {
      log.warn(
          "the rules of last time are not used: cannot read rules.cache={}: {}", path, text(e));
      return Optional.empty();
    }
  }

  /** Replaces it. */
  void write(Content content) throws IOException {
    byte[] bytes = encode(content);
    if (bytes.length > MOST_BYTES) {
      throw new IOException("the rules take more than " + MOST_BYTES + " bytes");
    }
    Path folder = path.getParent();
    Path name = path.getFileName();
    if (folder == null || name == null) {
      throw new IOException("it must be a file in a folder");
    }
    Path next = Files.createTempFile(folder, name.toString(), ".tmp");
    try {
      try (FileChannel channel = FileChannel.open(next, StandardOpenOption.WRITE)) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
        channel.force(true);
      }
      Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(next);
    }
  }

  private byte[] encode(Content content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeLong(MAGIC);
    out.writeInt(VERSION);
    out.writeUTF(scope);
    out.writeLong(content.asOf().toEpochMilli());
    out.writeInt(content.maxInstances());
    Collection<Rule> rules = content.rules().declared();
    out.writeInt(rules.size());
    for (Rule rule : rules) {
      byte[] encoded = WIRE.encode(rule, content.asOf().toEpochMilli());
      out.writeInt(encoded.length);
      out.write(encoded);
    }
    out.writeInt(checksum(bytes.toByteArray(), bytes.size()));
    return bytes.toByteArray();
  }

  private Content decode(byte[] bytes) throws IOException {
    int length = bytes.length - CHECKSUM_BYTES;
    if (length < 0 || ByteBuffer.wrap(bytes).getInt(length) != checksum(bytes, length)) {
      throw new IOException("its checksum is wrong");
    }
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes, 0, length));
    if (in.readLong() != MAGIC || in.readInt() != VERSION) {
      throw new IOException("another kind of file, or of another version");
    }
    String found = in.readUTF();
    if (!found.equals(scope)) {
      throw new IOException("of other topics or domains: " + found);
    }
    Instant asOf = Instant.ofEpochMilli(in.readLong());
    int maxInstances = in.readInt();
    int count = in.readInt();
    List<Rule> rules = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rules.add(WIRE.decodeRule(in.readNBytes(in.readInt())));
    }
    return new Content(asOf, maxInstances, RuleSet.of(rules));
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, length);
    return (int) checksum.getValue();
  }

  private static String text(Exception e) {
    String message = e.getMessage();
    return message == null ? e.toString() : message;
  }
}
