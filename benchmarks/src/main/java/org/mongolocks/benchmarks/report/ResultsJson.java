package org.mongolocks.benchmarks.report;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.reporting.server.ServerDescription;

/**
 * The format of {@code results.json}, which {@code docs/results.schema.json} describes: the records of a run as they
 * are. Absent values are omitted. The format has the word "floor" for a baseline, in the kind {@code floor}, in the field
 * of a drift, and in the ids of baselines such as {@code floor-ping}. Nothing else uses it.
 */
public final class ResultsJson {
    /** The format version. It changes with every incompatible change of the document. */
    static final int FORMAT = 4;

    static final ObjectMapper MAPPER = JsonMapper.builder()
            .addModule(new Jdk8Module())
            .addModule(new SimpleModule()
                    .addSerializer(double.class, new Rounded())
                    .addSerializer(Double.class, new Rounded()))
            .visibility(PropertyAccessor.ALL, Visibility.NONE)
            .visibility(PropertyAccessor.FIELD, Visibility.ANY)
            .visibility(PropertyAccessor.CREATOR, Visibility.ANY)
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_ABSENT, JsonInclude.Include.ALWAYS))
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    /** A number with as many digits as can matter. */
    private static final class Rounded extends JsonSerializer<Double> {
        private static final MathContext DIGITS = new MathContext(7);

        @Override
        public void serialize(Double value, JsonGenerator json, SerializerProvider unused) throws IOException {
            json.writeNumber(
                    new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString());
        }
    }

    private ResultsJson() {}

    /** Returns the document of a run. */
    public static String of(Report report) {
        Choice choice = report.choice();
        Map<String, Object> run = new LinkedHashMap<>();
        run.put("format", FORMAT);
        run.put("startedAt", report.startedAt().toString());
        run.put("elapsedSeconds", report.elapsed().toMillis() / 1e3);
        run.put("mode", report.inquiry().mode().id());
        run.put("only", report.inquiry().only());
        run.put("minutes", report.inquiry().minutes());
        run.put("command", report.inquiry().command());
        run.put("server", server(report.server()));
        run.put("machine", report.machine());
        run.put("advice", choice.advice());
        run.put("choice", choice.strategy().orElse(null));
        run.put("needs", choice.needs());
        run.put("contenders", report.findings().contenders());
        run.put("measurements", report.findings().measurements());
        run.put("differences", report.findings().differences());
        run.put("noise", report.findings().noise());
        run.put("remarks", report.findings().remarks());
        if (!report.missing().isEmpty()) {
            run.put("missing", report.missing());
        }
        return write(run);
    }

    private static Map<String, Object> server(ServerDescription server) {
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("kind", server.kind().id());
        described.put("version", server.version());
        described.put("topology", server.topology().id());
        described.put("members", server.hosts().size());
        described.put("majorityLagMillis", server.majorityLag().toMillis());
        return described;
    }

    /** Returns a document with measurements only. */
    public static String of(List<Measurement> measurements) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("format", FORMAT);
        document.put("measurements", measurements);
        return write(document);
    }

    private static String write(Object document) {
        try {
            return MAPPER.writeValueAsString(document);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("The results cannot be written as JSON: " + e.getMessage(), e);
        }
    }
}
