package dev.edgehill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The code of docs/sdk-java.md and of the README: compiled, and run as programs of their own against a server. */
class PagesTest {
    @RegisterExtension
    static final TestServer SERVER = new TestServer();

    @TempDir
    Path folder;

    @Test
    void manualFromItsBeginningToItsEnd() throws Exception {
        Page page = new Page("docs/sdk-java.md");
        // No block is of a kind that nobody tries.
        long fences = Checkout.read("docs/sdk-java.md")
                .lines()
                .filter(line -> line.startsWith("```java"))
                .count();
        assertEquals(fences, page.blocks());
        String said = run("Manual", page.program("Manual"));
        assertTrue(said.contains("CARD_PICKED"), said);
        assertTrue(said.endsWith("[rules, seed]\ntrue\n"), said);
    }

    @Test
    void quickstartIsShort() throws Exception {
        String code = new Page("clients/java/README.md").first();
        assertTrue(code.lines().count() < 20);
        String said = run("Quickstart", code.replace("\"localhost:7400\"", "args[0]"));
        assertTrue(said.matches("\\d+ actions: \\w+\\n\\d+ rolls are those .*\\n"), said);
    }

    /** The page of generated clients shows how one reads a refusal. */
    @Test
    void refusalIsReadByGeneratedCodeAlone() throws Exception {
        String program = """
                import com.google.protobuf.Any;
                import com.google.rpc.Status;
                import dev.edgehill.v1.*;
                import io.grpc.protobuf.StatusProto;

                final class Refusals {
                    public static void main(String[] args) throws Exception {
                        var refusal = Refusal.newBuilder().setReason(ErrorReason.ERROR_REASON_UNKNOWN_MATCH).build();
                        var status = Status.newBuilder().setCode(5).addDetails(Any.pack(refusal)).build();
                        var error = StatusProto.toStatusRuntimeException(status);
                        %s
                    }
                }
                """.formatted(new Page("docs/clients.md").first());
        assertEquals("ERROR_REASON_UNKNOWN_MATCH\n", run("Refusals", program));
    }

    @Test
    void dependencyOfThePagesIsTheOneThatIsTried() {
        String readme = Checkout.read("clients/java/README.md");
        String dependency = readme.substring(readme.indexOf("```xml"), readme.indexOf("</dependency>"));
        for (String page : List.of("docs/sdk-java.md", "docs/quickstarts.md")) {
            assertTrue(Checkout.read(page).contains(dependency), page);
        }
    }

    @Test
    void quickstartOfThePagesIsTheOneThatRuns() {
        String code = "```java\n" + new Page("clients/java/README.md").first() + "```\n";
        assertTrue(Checkout.read("docs/quickstarts.md").contains(code));
    }

    /** Compiles a program, and runs it to its end; returns what it says. */
    private String run(String name, String code) throws Exception {
        Path source = Files.writeString(folder.resolve(name + ".java"), code);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter faults = new StringWriter();
        List<String> options = List.of("-d", folder.toString(), "-classpath", classPath(), "-proc:none");
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            var task = compiler.getTask(faults, files, null, options, null, files.getJavaFileObjects(source));
            assertTrue(task.call(), faults + "\n" + code);
        }
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String path = folder + System.getProperty("path.separator") + classPath();
        Process program = new ProcessBuilder(java, "-cp", path, name, SERVER.address())
                .redirectErrorStream(true)
                .start();
        String said = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, program.waitFor(), said);
        return said;
    }

    /** Returns the class path of the tests: the runner of Maven has it in a property of its own. */
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
