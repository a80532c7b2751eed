package io.quotaenforcer.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A committed Markdown page. */
record MarkdownFile(Path path, String text) {
  /** The folder of the whole project; tests run in that of their module. */
  static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  private static final Pattern BLOCK =
      Pattern.compile("(?ms)^```(?<language>\\w*)\\n(?<content>.*?)^```$");
  private static final Pattern SPAN = Pattern.compile("`([^`\\n]+)`");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.+)$");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");

  private static final String IMPORTS = "The snippets import ";

  /** A block of code. */
  record Block(String language, String content) {}

  static MarkdownFile read(String file) {
    Path path = ROOT.resolve(file);
    try {
      return new MarkdownFile(path, Files.readString(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The README, and those pages of this folder that are not written from the code. */
  static List<MarkdownFile> guides() {
    List<String> generated = Pages.all().stream().map(Page::file).toList();
    try (Stream<Path> files = Files.list(Path.of(""))) {
      Stream<String> guides =
          files
              .map(Path::toString)
              .filter(file -> file.endsWith(".md") && !generated.contains(file))
              .map(file -> "topology-docs/" + file)
              .sorted();
      return Stream.concat(Stream.of("README.md"), guides).map(MarkdownFile::read).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All of them, in order. */
  List<Block> blocks() {
    return BLOCK
        .matcher(text)
        .results()
        .map(block -> new Block(block.group(1), block.group(2)))
        .toList();
  }

  /** Blocks of one language, in order. */
  List<String> blocks(String language) {
    return blocks().stream()
        .filter(block -> block.language().equals(language))
        .map(Block::content)
        .toList();
  }

  /** The lines of its shell blocks, in order. */
  List<String> shellLines() {
    return blocks("sh").stream().flatMap(String::lines).filter(line -> !line.isBlank()).toList();
  }

  /** Classes and packages that it says its Java imports. */
  List<String> imports() {
    return text.lines()
        .filter(line -> line.contains(IMPORTS))
        .map(line -> line.substring(line.indexOf(IMPORTS)))
        .flatMap(line -> SPAN.matcher(line.split("\\. |\\.$")[0]).results())
        .map(span -> span.group(1))
        .toList();
  }

  /** Texts in a fixed-width font outside of blocks. */
  List<String> spans() {
    return SPAN.matcher(withoutBlocks()).results().map(span -> span.group(1)).toList();
  }

  List<String> links() {
    return LINK.matcher(withoutBlocks()).results().map(link -> link.group(1)).toList();
  }

  /** Ends of links to its headings, as GitHub makes them of distinct headings. */
  List<String> anchors() {
    return HEADING
        .matcher(withoutBlocks())
        .results()
        .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .toList();
  }

  /** The {@code quota} commands of its shell blocks, as a shell would split them. */
  List<List<String>> quotaCommands() {
    return shellLines().stream()
        .filter(line -> line.startsWith("./quota "))
        .map(MarkdownFile::words)
        .map(words -> words.subList(1, words.size()))
        .toList();
  }

  @Override
  public String toString() {
    return ROOT.relativize(path).toString();
  }

  private String withoutBlocks() {
    return BLOCK.matcher(text).replaceAll("");
  }

  /** The words of a command as a shell would split it. */
  static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    for (MatchResult word :
        Pattern.compile("#.*|'([^']*)'|\\S+").matcher(line).results().toList()) {
      if (word.group().startsWith("#")) {
        break;
      }
      words.add(word.group(1) == null ? word.group() : word.group(1));
    }
    return words;
  }
}
