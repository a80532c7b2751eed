package io.quotaenforcer.docs;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The files of the repository but for what builds write: another module may be built meanwhile, and
 * what it removes ends a walk.
 */
final class SourceFiles {
  private static final Set<String> WRITTEN = Set.of(".git", "target");

  private SourceFiles() {}

  /** In the order of their paths. */
  static List<Path> all() throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        MarkdownFile.ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return WRITTEN.contains(folder.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    files.sort(null);
    return files;
  }
}
