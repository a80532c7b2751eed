package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How many files an algorithm touches, by a scan of the main sources and schemas of what is
 * deployed. Judges that know each algorithm by its definition, apart from what they judge, have an
 * entry of their own each: simulation, traces and benchmarks. Token bucket, sliding window and
 * fixed window are named elsewhere too, as what is divided into rate shares and as defaults.
 */
class AlgorithmFilesTest {
  private static final int MOST = 8;

  private static final Pattern DEPLOYED =
      Pattern.compile(
          "(quota-core|quota-ledger|schemas|quota-rules|admission-client|enforcer-app)/src/main/(java|avro)/.*");

  @ParameterizedTest
  @CsvSource({
    "SlidingSubWindows, SLIDING_SUB_WINDOWS, sliding-sub-windows",
    "SlidingLog, SLIDING_LOG, sliding-log",
    "LeakyBucket, LEAKY_BUCKET, leaky-bucket",
    "IntervalBucket, INTERVAL, interval-bucket",
    "WarmUpBucket, WARM_UP_BUCKET, warm-up-bucket"
  })
  void algorithm_isNamedInAtMostEightFiles(String type, String constant, String word)
      throws IOException {
    Pattern name = Pattern.compile("\\b(%s|%s)\\b|\"%s\"".formatted(type, constant, word));
    List<String> named = new ArrayList<>();
    for (Path file : SourceFiles.all()) {
      String path = MarkdownFile.ROOT.relativize(file).toString();
      if (DEPLOYED.matcher(path).matches() && name.matcher(code(file)).find()) {
        named.add(path);
      }
    }
    System.out.printf("%s: %d files %s%n", type, named.size(), named);
    assertThat(named)
        .hasSizeBetween(3, MOST)
        .anyMatch(path -> path.endsWith("/" + type + ".java"))
        .anyMatch(path -> path.endsWith("/Algorithm.java"));
  }

  private static String code(Path file) throws IOException {
    return Files.readString(file)
        .replaceAll("(?s)/\\*.*?\\*/", "")
        .replaceAll("(?m)//.*$", "")
        .replaceAll("\"doc\": \"[^\"]*\"", "");
  }
}
