package io.quotaenforcer.enforcer.rules;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Reads rule files from disk; a file that cannot be read is a file with a problem. */
public final class RuleFileLoader {
  private static final long MAX_BYTES = 4L * YamlDocument.MAX_CHARS;

  private RuleFileLoader() {}

  public static RuleFile load(Path path) {
    try {
      if (Files.isDirectory(path)) {
        return problem(path, "is a directory; name a file");
      }
      if (Files.size(path) > MAX_BYTES) {
        return problem(path, "the file is too large; split it, at most " + MAX_BYTES + " bytes");
      }
      return RuleFile.parse(path.toString(), Files.readString(path, StandardCharsets.UTF_8));
    } catch (NoSuchFileException e) {
      return problem(path, "there is no such file");
    } catch (AccessDeniedException e) {
      return problem(path, "the file may not be read; check its permissions");
    } catch (CharacterCodingException e) {
      return problem(path, "the file is not UTF-8; save it as UTF-8");
    } catch (IOException e) {
      return problem(path, "the file cannot be read: " + e.getMessage());
    }
  }

  private static RuleFile problem(Path path, String message) {
    return new RuleFile.Invalid(List.of(new RuleProblem(path.toString(), 1, 1, message)));
  }
}
