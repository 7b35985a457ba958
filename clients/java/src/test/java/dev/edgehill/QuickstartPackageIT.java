package dev.edgehill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The package as a user has it: from a repository, in a clean folder, with a local repository of its own. */
class QuickstartPackageIT {
    @RegisterExtension
    static final TestServer SERVER = new TestServer();

    private static final Path PUBLISHED = Path.of(System.getProperty("edgehill.package"));
    private static final String VERSION = System.getProperty("edgehill.version");

    @TempDir
    Path folder;

    private static Path artifact(String end) throws IOException {
        Path file = PUBLISHED.resolve("dev/edgehill/edgehill/" + VERSION + "/edgehill-" + VERSION + end);
        assertTrue(Files.isRegularFile(file), file.toString());
        return file;
    }

    @Test
    void packageHasWhatItIsToHave() throws Exception {
        artifact(".pom");
        artifact("-sources.jar");
        artifact("-javadoc.jar");
        try (JarFile jar = new JarFile(artifact(".jar").toFile())) {
            Attributes manifest = jar.getManifest().getMainAttributes();
            assertEquals("dev.edgehill", manifest.getValue("Automatic-Module-Name"));
            assertEquals("edgehill.v1", manifest.getValue("Edgehill-Api"));
            Set<String> packages = jar.stream()
                    .filter(entry -> entry.getName().endsWith(".class"))
                    .map(entry -> entry.getName().substring(0, entry.getName().lastIndexOf('/')))
                    .collect(Collectors.toCollection(TreeSet::new));
            assertEquals(Set.of("dev/edgehill", "dev/edgehill/v1"), packages);
            assertTrue(jar.stream().noneMatch(entry -> entry.getName().endsWith("Test.class")));
        }
    }

    @Test
    void quickstartRuns() throws Exception {
        Path sources = Files.createDirectories(folder.resolve("src/main/java"));
        String code = new Page("clients/java/README.md").first().replace("localhost:7400", SERVER.address());
        Files.writeString(sources.resolve("Quickstart.java"), code);
        Files.writeString(folder.resolve("pom.xml"), pom());
        Files.writeString(folder.resolve("settings.xml"), settings());
        Process maven = new ProcessBuilder(List.of(
                        "mvn",
                        "--batch-mode",
                        "--quiet",
                        "--settings",
                        "settings.xml",
                        "-Dmaven.repo.local=" + folder.resolve("repository"),
                        "compile",
                        "exec:java",
                        "-Dexec.mainClass=Quickstart"))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(maven.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, maven.waitFor(), said);
        assertTrue(said.matches("(?s).*\\d+ actions: \\w+\\n\\d+ rolls are those .*"), said);
    }

    /** Returns a project that depends on the package, as the README says it. */
    private static String pom() {
        String readme = Checkout.read("clients/java/README.md");
        String dependency = readme.substring(readme.indexOf("<dependency>"), readme.indexOf("</dependency>"));
        assertTrue(dependency.contains("<version>" + VERSION + "</version>"));
        return """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>com.example</groupId>
                  <artifactId>quickstart</artifactId>
                  <version>1</version>
                  <properties>
                    <maven.compiler.release>17</maven.compiler.release>
                    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
                  </properties>
                  <repositories>
                    <repository><id>published</id><url>%s</url></repository>
                  </repositories>
                  <dependencies>
                    %s</dependency>
                  </dependencies>
                  <build>
                    <plugins>
                      <plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin>
                      <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.14.1</version></plugin>
                      <plugin>
                        <groupId>org.codehaus.mojo</groupId>
                        <artifactId>exec-maven-plugin</artifactId>
                        <version>3.6.4</version>
                      </plugin>
                    </plugins>
                  </build>
                </project>
                """.formatted(PUBLISHED.toUri(), dependency);
    }

    /** Returns settings in which what was downloaded before stands before the network: the package is not among that. */
    private static String settings() {
        Path cache = Path.of(System.getProperty("user.home"), ".m2", "repository");
        String repository = "<id>cache</id><url>" + cache.toUri() + "</url>";
        return """
                <settings>
                  <profiles>
                    <profile>
                      <id>cached</id>
                      <repositories><repository>%1$s</repository></repositories>
                      <pluginRepositories><pluginRepository>%1$s</pluginRepository></pluginRepositories>
                    </profile>
                  </profiles>
                  <activeProfiles><activeProfile>cached</activeProfile></activeProfiles>
                </settings>
                """.formatted(repository);
    }
}
