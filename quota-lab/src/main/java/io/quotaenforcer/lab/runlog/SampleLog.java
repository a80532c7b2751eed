package io.quotaenforcer.lab.runlog;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;

/**
 * Makes a small access log in combined format: twenty minutes of an invented shop, with a crawler,
 * a password guesser and a few damaged lines. Addresses are those set aside for documentation (RFC
 * 5737, RFC 3849).
 */
public final class SampleLog {
  /** Seed of the committed file. */
  public static final long SEED = 20_240_501;

  public static final int LINES = 4000;

  private static final LocalDateTime START = LocalDateTime.of(2024, 5, 1, 12, 0, 0);
  private static final double MEAN_GAP_SECONDS = 0.3;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH);
  private static final String[] PATHS = {
    "/",
    "/products",
    "/products/17",
    "/products/42",
    "/cart",
    "/search?q=lamp",
    "/images/logo.png",
    "/about"
  };
  private static final String[] AGENTS = {
    "Mozilla/5.0 (X11; Linux x86_64)", "Mozilla/5.0 (Macintosh)", "ExampleApp/3.1 (\\\"mobile\\\")"
  };

  private final SplittableRandom random;
  private double elapsedSeconds;

  private SampleLog(long seed) {
    random = new SplittableRandom(seed);
  }

  /** Writes the sample to {@code file}, compressed. */
  public static void write(Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        Writer writer =
            new BufferedWriter(
                new OutputStreamWriter(new GZIPOutputStream(out), StandardCharsets.UTF_8))) {
      writer.write(text(SEED, LINES));
    }
  }

  /** The same text for the same seed, always. */
  public static String text(long seed, int lines) {
    SampleLog log = new SampleLog(seed);
    StringBuilder text = new StringBuilder(lines * 120);
    for (int i = 0; i < lines; i++) {
      log.appendLine(text);
    }
    return text.toString();
  }

  private void appendLine(StringBuilder text) {
    elapsedSeconds -= MEAN_GAP_SECONDS * StrictMath.log(1 - random.nextDouble());
    int kind = random.nextInt(1000);
    if (kind < 2) {
      text.append(kind == 0 ? "\n" : "worker 7 exited on signal 9\n");
    } else if (kind < 4) {
      append(text, "198.51.100.99", "-", "\\x16\\x03\\x01", 400, "-");
    } else if (kind < 250) {
      append(
          text,
          "198.51.100.7",
          "-",
          "GET /products/" + random.nextInt(5000) + " HTTP/1.1",
          200,
          "ExampleCrawler/1.0");
    } else if (kind < 330 && elapsedSeconds > 300 && elapsedSeconds < 600) {
      append(text, "192.0.2.66", "-", "POST /login HTTP/1.1", 401, "-");
    } else {
      appendVisitor(text);
    }
  }

  private void appendVisitor(StringBuilder text) {
    // The square makes low numbers, and so a few visitors, more frequent.
    double point = random.nextDouble();
    int visitor = (int) (point * point * 300);
    String host =
        visitor % 5 == 0
            ? "2001:db8::" + Integer.toHexString(visitor + 1)
            : "192.0.2." + visitor % 250;
    String user = visitor % 7 == 0 ? "user" + visitor : "-";
    String agent = AGENTS[visitor % AGENTS.length];
    int path = random.nextInt(PATHS.length + 1);
    if (path == PATHS.length) {
      append(text, host, user, "POST /orders HTTP/1.1", 201, agent);
    } else {
      append(text, host, user, "GET " + PATHS[path] + " HTTP/1.1", 200, agent);
    }
  }

  private void append(
      StringBuilder text, String host, String user, String request, int status, String agent) {
    // A server logs a request when it is done, so that a slow one's time is earlier than the last.
    double slow = random.nextInt(100) == 0 ? 2 : 0;
    LocalDateTime time = START.plusSeconds((long) Math.max(0, elapsedSeconds - slow));
    text.append(host).append(" - ").append(user).append(" [");
    text.append(time.atOffset(ZoneOffset.UTC).format(TIME)).append("] \"").append(request);
    text.append("\" ").append(status).append(' ').append(200 + random.nextInt(20_000));
    text.append(" \"-\" \"").append(agent).append("\"\n");
  }
}
