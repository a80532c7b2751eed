import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * How the house is kept, in numbers: sizes, tests to main, what the client shows, long signatures, circles of classes.
 * {@code java .ci/House.java [root]} on a checkout that was compiled. It judges nothing: a sealed type and its kinds, for
 * one, are a circle and mean no harm.
 */
public final class House {
  private static final int LONG_SIGNATURE = 7;
  private static final String CLIENT = "admission-client";

  /** Comments and literals before all else, so that nothing inside them is a token. */
  private static final Pattern TOKEN =
      Pattern.compile(
          "(?s)/\\*.*?\\*/|//[^\\n]*|\"\"\".*?(?<!\\\\)\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\])+'"
              + "|(?<word>[\\p{L}_$][\\p{L}\\p{N}_$]*)|\\.\\.\\.|->|[^\\s]");

  private static final Pattern VAGUE_DOC = Pattern.compile("/\\*\\*\\s*(?:\\*\\s*)?(What|Of)\\s");
  private static final Pattern EDGE = Pattern.compile("^ +(\\S+) +-> (\\S+) ", Pattern.MULTILINE);
  private static final Set<String> KINDS = Set.of("class", "interface", "record", "enum");

  /** One file of sources: its lines and its tokens, comments and literals left out. */
  private record Source(Path path, String text, int lines, List<String> tokens) {
    static Source read(Path path) throws IOException {
      String text = Files.readString(path);
      List<String> tokens = new ArrayList<>();
      Matcher matcher = TOKEN.matcher(text);
      while (matcher.find()) {
        String token = matcher.group();
        if (!token.startsWith("/*") && !token.startsWith("//")) {
          tokens.add(token.startsWith("'") ? "\"" : token);
        }
      }
      return new Source(path, text, (int) text.lines().count(), tokens);
    }

    String token(int index) {
      return index >= 0 && index < tokens.size() ? tokens.get(index) : "";
    }
  }

  private record Module(String name, Path folder, List<Source> main, List<Source> test) {}

  public static void main(String[] args) throws IOException {
    Path root = Path.of(args.length > 0 ? args[0] : ".").toAbsolutePath().normalize();
    List<Module> modules = modules(root);
    List<Source> main = modules.stream().flatMap(module -> module.main().stream()).toList();
    List<Source> test = modules.stream().flatMap(module -> module.test().stream()).toList();

    System.out.printf("%d modules%n%n%-26s %7s %7s %6s %6s %7s %5s %8s%n", modules.size(), "module", "main", "test", "ratio", "files", "median", "p90", "longest");
    modules.forEach(module -> row(module.name(), module.main(), lines(module.test())));
    row("all", main, lines(test));

    print("public types of the client", publicTypes(modules));
    print("signatures of " + LONG_SIGNATURE + " or more parameters in main", longSignatures(root, main));
    System.out.printf("%nsignatures of %d or more parameters in tests: %d%n", LONG_SIGNATURE, longSignatures(root, test).size());
    print("circles of classes within packages", circles(modules));
    long vague = main.stream().flatMap(source -> VAGUE_DOC.matcher(source.text()).results()).count();
    System.out.printf("%ndoc comments that open with What or Of: %d%n", vague);
  }

  private static List<Module> modules(Path root) throws IOException {
    List<Module> modules = new ArrayList<>();
    try (Stream<Path> walk = Files.walk(root, 4)) {
      for (Path pom : walk.filter(path -> path.endsWith("pom.xml")).sorted().toList()) {
        Path folder = pom.getParent();
        Path main = folder.resolve("src/main/java");
        String name = root.relativize(folder).toString();
        Module module = new Module(name, folder, sources(main), sources(folder.resolve("src/test/java")));
        if (!module.main().isEmpty() || !module.test().isEmpty()) {
          modules.add(module);
        }
      }
    }
    return modules;
  }

  private static List<Source> sources(Path folder) throws IOException {
    List<Source> sources = new ArrayList<>();
    try (Stream<Path> walk = Files.isDirectory(folder) ? Files.walk(folder) : Stream.empty()) {
      for (Path path : walk.filter(path -> path.toString().endsWith(".java")).sorted().toList()) {
        sources.add(Source.read(path));
      }
    }
    return sources;
  }

  private static int lines(List<Source> sources) {
    return sources.stream().mapToInt(Source::lines).sum();
  }

  private static void row(String name, List<Source> main, int testLines) {
    if (main.isEmpty()) {
      System.out.printf("%-26s %7d %7d%n", name, 0, testLines);
      return;
    }
    int[] sizes = main.stream().mapToInt(Source::lines).sorted().toArray();
    Source longest = Collections.max(main, Comparator.comparingInt(Source::lines));
    int median = sizes[sizes.length / 2];
    int p90 = sizes[sizes.length * 9 / 10];
    double ratio = (double) testLines / lines(main);
    System.out.printf(Locale.ROOT, "%-26s %7d %7d %6.2f %6d", name, lines(main), testLines, ratio, sizes.length);
    System.out.printf(" %7d %5d %8d %s%n", median, p90, longest.lines(), longest.path().getFileName());
  }

  private static void print(String title, Collection<String> lines) {
    System.out.printf("%n%s: %d%n", title, lines.size());
    lines.forEach(line -> System.out.println("  " + line));
  }

  private static Set<String> publicTypes(List<Module> modules) {
    Set<String> types = new TreeSet<>();
    for (Module module : modules.stream().filter(each -> each.name().equals(CLIENT)).toList()) {
      for (Source source : module.main()) {
        Path relative = module.folder().resolve("src/main/java").relativize(source.path());
        if (!relative.toString().contains("/internal/") && hasPublicType(source)) {
          types.add(relative.toString().replace(".java", "").replace('/', '.'));
        }
      }
    }
    return types;
  }

  /** A {@code public} before the first brace that is the type's; annotations of a type have no braces here. */
  private static boolean hasPublicType(Source source) {
    for (int at = 0; at < source.tokens().size() && !source.token(at).equals("{"); at++) {
      if (KINDS.contains(source.token(at)) && !source.token(at - 1).equals(".")) {
        return source.tokens().subList(0, at).contains("public");
      }
    }
    return false;
  }

  private static List<String> longSignatures(Path root, List<Source> sources) {
    List<String> found = new ArrayList<>();
    for (Source source : sources) {
      for (int at = 0; at < source.tokens().size(); at++) {
        if (source.token(at).equals("(") && isName(source, at - 1)) {
          int parameters = parameters(source, at);
          if (parameters >= LONG_SIGNATURE) {
            found.add(parameters + " " + name(source, at) + " in " + root.relativize(source.path()));
          }
        }
      }
    }
    return found;
  }

  private static boolean isName(Source source, int at) {
    String token = source.token(at);
    return token.equals(">") || (!token.isEmpty() && Character.isJavaIdentifierStart(token.charAt(0)));
  }

  /** The declared name before the parenthesis, past a record's type parameters. */
  private static String name(Source source, int parenthesis) {
    int at = parenthesis - 1;
    while (source.token(at).equals(">") || source.token(at).equals(",") || source.token(at + 1).equals("<")) {
      at--;
    }
    return source.token(at);
  }

  /** How many parameters are declared from this parenthesis on; 0 where they are the arguments of a call. */
  private static int parameters(Source source, int parenthesis) {
    int depth = 0;
    int count = 0;
    for (int at = parenthesis; at < source.tokens().size(); at++) {
      String token = source.token(at);
      boolean closes = token.equals(")") || token.equals(">") || token.equals("]") || token.equals("}");
      if (depth == 1 && (token.equals(",") || token.equals(")"))) {
        if (!isName(source, at - 1) || !declares(source, at - 2)) {
          return 0;
        }
        count++;
      }
      depth += "([<{".contains(token) ? 1 : closes ? -1 : 0;
      if (depth == 0) {
        return source.token(at + 1).equals("->") ? 0 : count;
      }
    }
    return 0;
  }

  /** Before the name of a parameter stands the end of its type. */
  private static boolean declares(Source source, int at) {
    return isName(source, at) || source.token(at).equals("]") || source.token(at).equals("...");
  }

  private static List<String> circles(List<Module> modules) throws IOException {
    List<String> found = new ArrayList<>();
    for (Module module : modules) {
      Path classes = module.folder().resolve("target/classes");
      if (module.main().isEmpty()) {
        continue;
      }
      if (!Files.isDirectory(classes)) {
        found.add("not known, not compiled: " + module.name());
        continue;
      }
      Map<String, Set<String>> uses = uses(module, classes);
      Set<String> seen = new HashSet<>();
      for (String type : uses.keySet()) {
        Set<String> circle = new TreeSet<>(reach(type, uses));
        circle.removeIf(other -> !reach(other, uses).contains(type));
        if (circle.size() > 1 && seen.addAll(circle)) {
          String folder = type.substring(0, type.lastIndexOf('.') + 1);
          found.add(circle.size() + " " + folder + circle.stream().map(name -> name.substring(folder.length())).toList());
        }
      }
    }
    return found;
  }

  /** Which top-level class of the sources uses which other of its package, as {@code jdeps} reads the class files. */
  private static Map<String, Set<String>> uses(Module module, Path classes) {
    Path folder = module.folder().resolve("src/main/java");
    Set<String> written = new HashSet<>();
    module.main().forEach(source -> written.add(folder.relativize(source.path()).toString().replace(".java", "").replace('/', '.')));
    StringWriter out = new StringWriter();
    PrintWriter writer = new PrintWriter(out);
    ToolProvider.findFirst("jdeps").orElseThrow().run(writer, writer, "-verbose:class", "-filter:none", "--ignore-missing-deps", classes.toString());
    Map<String, Set<String>> uses = new TreeMap<>();
    Matcher edge = EDGE.matcher(out.toString());
    while (edge.find()) {
      String from = edge.group(1).replaceFirst("\\$.*", "");
      String to = edge.group(2).replaceFirst("\\$.*", "");
      boolean neighbours = from.substring(0, from.lastIndexOf('.') + 1).equals(to.substring(0, to.lastIndexOf('.') + 1));
      if (neighbours && !from.equals(to) && written.contains(from) && written.contains(to)) {
        uses.computeIfAbsent(from, any -> new TreeSet<>()).add(to);
      }
    }
    return uses;
  }

  private static Set<String> reach(String type, Map<String, Set<String>> uses) {
    Set<String> reached = new HashSet<>();
    ArrayDeque<String> next = new ArrayDeque<>(List.of(type));
    while (!next.isEmpty()) {
      for (String other : uses.getOrDefault(next.pop(), Set.of())) {
        if (reached.add(other)) {
          next.push(other);
        }
      }
    }
    return reached;
  }
}
