package io.quotaenforcer.bench.options;

import io.quotaenforcer.enforcer.cli.Json;
import io.quotaenforcer.enforcer.cli.JsonFile;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a benchmark writes its result. */
public final class JsonOption {
  @Option(names = "--json", paramLabel = "FILE", description = "Writes the result to this file.")
  private @Nullable Path file;

  /** Fails before a long run rather than after it. */
  public void check() {
    if (file != null) {
      JsonFile.checkWritable(file);
    }
  }

  /** Writes the result if a file was named. */
  public void write(Supplier<Map<String, Object>> result) {
    if (file != null) {
      JsonFile.write(file, Json.write(result.get()));
    }
  }
}
