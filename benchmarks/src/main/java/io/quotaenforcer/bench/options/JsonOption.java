package io.quotaenforcer.bench.options;

import io.quotaenforcer.cli.Json;
import io.quotaenforcer.cli.JsonFile;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;

/** Where a benchmark writes its result. */
public final class JsonOption {
  @Mixin private final JsonFile file = new JsonFile();

  /** Fails before a long run rather than after it. */
  public void check() {
    file.checkWritable();
  }

  /** Writes the result if a file was named. */
  public void write(Supplier<Map<String, Object>> result) {
    file.write(() -> Json.write(result.get()));
  }
}
