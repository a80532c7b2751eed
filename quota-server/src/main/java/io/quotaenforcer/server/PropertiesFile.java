package io.quotaenforcer.server;

import io.quotaenforcer.schemas.setting.SettingProblem;
import io.quotaenforcer.schemas.setting.SettingSource;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** Settings in a properties file (UTF-8). */
public final class PropertiesFile {
  private PropertiesFile() {}

  /** Reads a file; that it cannot be read, or gives a key twice, is a problem of the source. */
  public static SettingSource read(Path file) {
    Recorder recorder = new Recorder();
    try (Reader reader = Files.newBufferedReader(file)) {
      recorder.load(reader);
    } catch (IOException | IllegalArgumentException e) {
      return new SettingSource(
          file.toString(), Map.of(), List.of(problem(file, "cannot be read: " + reason(e))));
    }
    return new SettingSource(
        file.toString(),
        recorder.values,
        recorder.repeated.stream()
            .map(key -> problem(file, "must be given only once: " + key))
            .toList());
  }

  private static String reason(Exception e) {
    if (e instanceof NoSuchFileException) {
      return "there is no such file";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    return e instanceof CharacterCodingException ? "it is not UTF-8 text" : e.getMessage() + "";
  }

  private static SettingProblem problem(Path file, String message) {
    return new SettingProblem(file.toString(), "", message);
  }

  /** Properties that remember which keys came twice. */
  private static final class Recorder extends Properties {
    private static final long serialVersionUID = 1L;

    private final transient Map<String, String> values = new LinkedHashMap<>();
    private final transient List<String> repeated = new ArrayList<>();

    @Override
    public synchronized Object put(Object key, Object value) {
      if (values.put((String) key, (String) value) != null) {
        repeated.add((String) key);
      }
      return value;
    }
  }
}
