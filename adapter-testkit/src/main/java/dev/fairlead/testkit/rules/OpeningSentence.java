package dev.fairlead.testkit.rules;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * Finds Javadoc whose first sentence does not say what the thing does or is.
 *
 * <p>A method's begins with a verb in the third person, such as "Returns"; a type's does so too, or has a subject and a
 * verb; a field's may be a noun. None begins as a question or as half of a sentence. It knows English by lists of
 * words: a verb that it lacks is added to them.
 */
public final class OpeningSentence {
    /** The first words of sentences that are a question, or the second half of another one. */
    private static final Set<String> NO_OPENING = words(
            "What Who Whose Whom Where Which Why How Whether When Whatever Whoever Wherever Of From By In On",
            "To With Without For As After Before Far Also So Not Is If Again");

    /** The words that look like a verb in the third person and are none, or are of no use as the first word. */
    private static final Set<String> NO_VERBS = words(
            "Access Always Arguments As Bytes Capabilities Certificates Children Columns Connections Contents",
            "Daemons Directories Does Errors Failures Files Flags Folders Groups Has Ids Its Keys Less Levels",
            "Lines Nodes Numbers Options Others Parameters Parents Perhaps Process Programs Properties Rules",
            "Secrets Settings Snapshots Sometimes Sources Steps Texts Things This Those Threads Us Values",
            "Volumes Was Words Yes");

    private static final Pattern VERB = Pattern.compile("[A-Z][a-z]+s");

    private static final Set<String> FINITE_VERBS = words(
            "is are was were has have had does do did can cannot could may might must will would should",
            "allows answers asks bears becomes begins belongs calls carries closes comes counts decides differs",
            "ends exists fails finds follows forms gets gives goes happens holds keeps knows leads lets lies lists",
            "looks makes means names needs opens promises puts reads remains runs says sees sends serves sets",
            "shows speaks stands stays takes tells uses waits wants works writes");

    private static final Pattern FIRST_WORD = Pattern.compile("^\\W*(\\w+).*", Pattern.DOTALL);

    private OpeningSentence() {}

    private static Set<String> words(String... lines) {
        return Set.of(String.join(" ", lines).split(" "));
    }

    /** Returns a line for each first sentence of another form in what is shipped of these classes' modules. */
    public static List<String> otherwise(JavaClasses classes) {
        return otherwise(ClassOrigin.modules(classes));
    }

    /** Returns a line for each first sentence of another form in what the modules in these folders ship. */
    public static List<String> otherwise(Collection<Path> modules) {
        List<String> found = new ArrayList<>();
        for (Path module : modules) {
            Path shipped = module.resolve("src/main/java");
            if (Files.isDirectory(shipped)) {
                found.addAll(otherwise(shipped));
            }
        }
        return found;
    }

    /** Returns a line for each first sentence of another form in the Java files below the folder. */
    static List<String> otherwise(Path folder) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null);
                Stream<Path> walked = Files.walk(folder)) {
            List<Path> files = walked.filter(path -> path.toString().endsWith(".java"))
                    .sorted()
                    .toList();
            if (files.isEmpty()) {
                throw new AssertionError("no source file was found below " + folder);
            }
            JavacTask task = (JavacTask) compiler.getTask(
                    null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
            Reader reader = new Reader(DocTrees.instance(task));
            for (CompilationUnitTree unit : task.parse()) {
                reader.scan(unit, null);
            }
            return List.copyOf(reader.found);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static boolean fits(Tree.Kind kind, String sentence) {
        String first = FIRST_WORD.matcher(sentence).replaceFirst("$1");
        boolean verb = VERB.matcher(first).matches() && !NO_VERBS.contains(first) && !NO_OPENING.contains(first);
        return switch (kind) {
            case METHOD -> verb;
            case VARIABLE -> !NO_OPENING.contains(first);
            default ->
                verb
                        || (!NO_OPENING.contains(first)
                                && Stream.of(sentence.split("\\W+")).anyMatch(FINITE_VERBS::contains));
        };
    }

    private static final class Reader extends TreePathScanner<@Nullable Void, @Nullable Void> {
        private final DocTrees docs;
        private final List<String> found = new ArrayList<>();

        Reader(DocTrees docs) {
            this.docs = docs;
        }

        @Override
        public @Nullable Void visitClass(ClassTree tree, @Nullable Void unused) {
            look(tree.getSimpleName().toString(), Tree.Kind.CLASS);
            return super.visitClass(tree, null);
        }

        @Override
        public @Nullable Void visitMethod(MethodTree tree, @Nullable Void unused) {
            look(tree.getName() + "()", Tree.Kind.METHOD);
            return super.visitMethod(tree, null);
        }

        @Override
        public @Nullable Void visitVariable(VariableTree tree, @Nullable Void unused) {
            look(tree.getName().toString(), Tree.Kind.VARIABLE);
            return super.visitVariable(tree, null);
        }

        private void look(String name, Tree.Kind kind) {
            DocCommentTree comment = docs.getDocCommentTree(getCurrentPath());
            if (comment == null || comment.getFirstSentence().isEmpty()) {
                return;
            }
            if (comment.getFirstSentence().getFirst().getKind() == DocTree.Kind.RETURN) {
                return;
            }
            String sentence = comment.getFirstSentence().stream()
                    .map(DocTree::toString)
                    .collect(Collectors.joining())
                    .replaceAll("\\s+", " ");
            if (!fits(kind, sentence)) {
                CompilationUnitTree unit = getCurrentPath().getCompilationUnit();
                found.add(unit.getSourceFile().getName() + ": " + name + ": " + sentence);
            }
        }
    }
}
