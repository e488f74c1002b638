package org.mongolocks.study.process;

import static com.mongodb.connection.ServerType.STANDALONE;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoSocketException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.connection.ServerDescription;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.bson.Document;
import org.mongolocks.reporting.server.Target;
import org.mongolocks.reporting.server.UnusableInputException;
import org.mongolocks.study.process.message.ParentMessage.Place;
import org.mongolocks.study.technique.RealTechniques;
