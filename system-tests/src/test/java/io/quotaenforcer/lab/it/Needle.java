package io.quotaenforcer.lab.it;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A value that is looked for in bytes, as it is and in its usual encodings. */
record Needle(String value) {
  private static final int BASE64_BLOCK = 3;

  /** The encodings, each by a name. */
  private record Spelling(String name, byte[] bytes) {}

  private List<Spelling> spellings() {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    List<Spelling> all = new ArrayList<>();
    add(all, "plain", value);
    add(all, "URL", URLEncoder.encode(value, StandardCharsets.UTF_8));
    add(all, "hex", HexFormat.of().formatHex(utf8));
    add(all, "HEX", HexFormat.of().withUpperCase().formatHex(utf8));
    all.add(new Spelling("UTF-16", value.getBytes(StandardCharsets.UTF_16BE)));
    all.add(new Spelling("UTF-16LE", value.getBytes(StandardCharsets.UTF_16LE)));
    // Wherever it begins in what is encoded: what of its characters does not depend on neighbours.
    for (int before = 0; before < BASE64_BLOCK; before++) {
      byte[] shifted = new byte[before + utf8.length];
      System.arraycopy(utf8, 0, shifted, before, utf8.length);
      String text = Base64.getEncoder().withoutPadding().encodeToString(shifted);
      int begin = before == 0 ? 0 : before + 1;
      String stable = text.substring(begin, text.length() - 2);
      add(all, "Base64 at " + before, stable);
      add(all, "Base64 for URLs at " + before, stable.replace('+', '-').replace('/', '_'));
    }
    return all;
  }

  private static void add(List<Spelling> to, String name, String text) {
    to.add(new Spelling(name, text.getBytes(StandardCharsets.UTF_8)));
  }

  /** The encodings of the value that are in some bytes. */
  Set<String> in(byte[] hay) {
    Set<String> found = new TreeSet<>();
    for (Spelling spelling : spellings()) {
      if (contains(hay, spelling.bytes)) {
        found.add(spelling.name);
      }
    }
    return found;
  }

  Set<String> in(String text) {
    return in(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Files below a folder that hold the value, each with the encoding. Whoever owns them may be at
   * work: what is gone when it is read is left out.
   */
  List<String> below(Path folder) throws IOException {
    List<String> found = new ArrayList<>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            try {
              for (String spelling : in(Files.readAllBytes(file))) {
                found.add(folder.relativize(file) + ": " + spelling);
              }
              return FileVisitResult.CONTINUE;
            } catch (IOException e) {
              return visitFileFailed(file, e);
            }
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }
        });
    return found;
  }

  private static boolean contains(byte[] hay, byte[] needle) {
    for (int at = 0; at + needle.length <= hay.length; at++) {
      int same = 0;
      while (same < needle.length && hay[at + same] == needle[same]) {
        same++;
      }
      if (same == needle.length) {
        return true;
      }
    }
    return false;
  }
}
