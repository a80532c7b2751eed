package io.quotaenforcer.rules;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Reads rule files from disk; an unreadable one is a file with a problem. */
public final class RuleFileLoader {
  private static final long MAX_BYTES = 4L * YamlDocument.MAX_CHARS;

  private RuleFileLoader() {}

  public static RuleFile load(Path path) {
    return load(path, RuleFile::parse, problem -> new RuleFile.Invalid(List.of(problem)));
  }

  /**
   * Reads a file of any form.
   *
   * @param parse parses its name and text
   * @param unreadable converts the reason why there is no text
   */
  public static <T> T load(
      Path path, BiFunction<String, String, T> parse, Function<RuleProblem, T> unreadable) {
    return read(
        path, parse, reason -> unreadable.apply(new RuleProblem(path.toString(), 1, 1, reason)));
  }

  private static <T> T read(
      Path path, BiFunction<String, String, T> parse, Function<String, T> problem) {
    try {
      if (Files.isDirectory(path)) {
        return problem.apply("is a directory; name a file");
      }
      if (Files.size(path) > MAX_BYTES) {
        return problem.apply("the file is too large; split it, at most " + MAX_BYTES + " bytes");
      }
      return parse.apply(path.toString(), Files.readString(path, StandardCharsets.UTF_8));
    } catch (NoSuchFileException e) {
      return problem.apply("there is no such file");
    } catch (AccessDeniedException e) {
      return problem.apply("the file may not be read; check its permissions");
    } catch (CharacterCodingException e) {
      return problem.apply("the file is not UTF-8; save it as UTF-8");
    } catch (IOException e) {
      return problem.apply("the file cannot be read: " + e.getMessage());
    }
  }
}
