package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Java compiles from what its page shows, with the admission client and what that brings along. */
class JavaOfPagesTest {
  private static final Path CLIENT = MarkdownFile.ROOT.resolve("admission-client/target");
  private static final Pattern DEPENDENCY =
      Pattern.compile("(?m)^ +[\\w.-]+:[\\w.-]+:jar:[^:]+:\\w+:([^\\s\\u001b]+)");

  /** Members of the reader's own class, by page. */
  private static final Map<String, String> READERS =
      Map.of(
          "README.md",
          """
          String kafka;
          AdmissionClient client;
          Request request;
          byte[] body;
          java.util.function.BiConsumer<String, String> response;
          abstract void createPost();
          abstract void createPost(byte[] body);
          abstract void answerTooManyRequests(java.util.Optional<Duration> retryAfter);
          abstract void tellTheUser(Deferred answer);
          Duration maxWait;
          long estimate;
          long actual;
          java.util.List<io.quotaenforcer.core.rule.Rule> rules;
          Clocks clocks;
          Reservation reservation;
          """,
          "topology-docs/client.md",
          """
          Admission admission;
          AdmissionClient client;
          Queue<String> waiting;
          Request request;
          Deferred answer;
          abstract void report(List<Boolean> admitted);
          abstract void tell(String text);
          abstract long callTheModel();
          abstract String logIn();
          abstract String callTheShop();
          abstract void answerTooManyRequests(Decision decision);
          """);

  /** A call in a sentence, such as {@code decide(request, maxWait)}. */
  private static final Pattern CALL = Pattern.compile("[A-Za-z.]+\\(.*[\\w\"]\\).*");

  private static final Set<String> NO_CODE = Set.of("max(1, permits / max-instances)");

  @TempDir Path classes;

  static Stream<MarkdownFile> pages() {
    return MarkdownFile.guides().stream().filter(page -> !page.blocks("java").isEmpty());
  }

  @ParameterizedTest
  @MethodSource("pages")
  void java_withTheImportsThatThePageNames_compiles(MarkdownFile page) throws IOException {
    String source = source(page);
    StringWriter mistakes = new StringWriter();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();

    boolean compiles =
        compiler
            .getTask(
                mistakes,
                null,
                null,
                List.of("--release", "17", "-proc:none", "-cp", classPath(), "-d", classes + ""),
                null,
                List.of(inMemory(source)))
            .call();

    assertThat(compiles).as("%s%n%s", mistakes, source).isTrue();
  }

  /** Each block is the body of a method of a class of the reader's. */
  private static String source(MarkdownFile page) {
    List<String> blocks = page.blocks("java");
    String methods =
        IntStream.range(0, blocks.size())
            .mapToObj(i -> "void block%d() throws Exception {%n%s}%n".formatted(i, blocks.get(i)))
            .collect(Collectors.joining());
    return page.imports().stream().map("import %s;%n"::formatted).collect(Collectors.joining())
        + "abstract class Page {\n"
        + READERS.getOrDefault(page.toString(), "")
        + methods
        + "void calls() throws Exception {\n"
        + calls(page)
        + "}\n}\n";
  }

  /** The calls in its sentences: of the client, where they do not say of what. */
  private static String calls(MarkdownFile page) {
    return page.spans().stream()
        .filter(span -> CALL.matcher(span).matches() && !NO_CODE.contains(span))
        .map(call -> receiver(call) + call + ";\n")
        .collect(Collectors.joining());
  }

  private static String receiver(String call) {
    if (Character.isUpperCase(call.charAt(0))) {
      return "";
    }
    return call.startsWith("commit(") ? "reservation." : "client.";
  }

  private static String classPath() throws IOException {
    Stream<String> dependencies =
        DEPENDENCY
            .matcher(Files.readString(CLIENT.resolve("runtime-dependencies.txt")))
            .results()
            .map(dependency -> dependency.group(1));
    List<String> all =
        Stream.concat(Stream.of(CLIENT.resolve("classes").toString()), dependencies).toList();
    assertThat(all).hasSizeGreaterThan(5).allSatisfy(entry -> assertThat(Path.of(entry)).exists());
    return String.join(System.getProperty("path.separator"), all);
  }

  private static JavaFileObject inMemory(String source) {
    return new SimpleJavaFileObject(URI.create("string:///Page.java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return source;
      }
    };
  }
}
