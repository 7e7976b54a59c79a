import DoseTapDomain
import Testing

struct JSONObjectTests {
    @Test(arguments: [3, 12, 13, 100])
    func `keys keep their order and values are found`(count: Int) {
        var object = JSONObject()
        for number in 0..<count { object["k\(number)"] = .integer(Int64(number)) }
        #expect(object.keys == (0..<count).map { "k\($0)" })
        #expect((0..<count).allSatisfy { object["k\($0)"] == .integer(Int64($0)) })
        #expect(object["k\(count)"] == nil)
        object["k1"] = "new"
        #expect(object.entries[1].value == "new")
        #expect(object.count == count)
        object["k0"] = nil
        object["absent"] = nil
        #expect(object.keys == (1..<count).map { "k\($0)" })
        #expect((2..<count).allSatisfy { object["k\($0)"] == .integer(Int64($0)) })
        #expect(object["k0"] == nil)
        for number in 1..<count { object["k\(number)"] = nil }
        #expect(object.isEmpty)
    }

    @Test func `objects are equal in content and order, however they came about`() {
        var long = JSONObject()
        for number in 0..<20 { long["k\(number)"] = 1 }
        for number in 2..<20 { long["k\(number)"] = nil }
        #expect(long == ["k0": 1, "k1": 1])
        #expect(Set([long, ["k0": 1, "k1": 1]]).count == 1)
        #expect(long != ["k1": 1, "k0": 1])
        #expect(JSONObject([("a", 1), ("b", 2), ("a", 3)]) == ["a": 3, "b": 2])
        #expect(long.map(\.key) == ["k0", "k1"])
    }

    @Test func `values are reached by type and key`() {
        let value: JSONValue = ["a": [1, 2.5, "x", true, nil], "n": nil]
        #expect(value["a"]?.arrayValue?[0].integerValue == 1)
        #expect(value["a"]?.arrayValue?[0].doubleValue == 1)
        #expect(value["a"]?.arrayValue?[1].doubleValue == 2.5)
        #expect(value["a"]?.arrayValue?[1].integerValue == nil)
        #expect(value["a"]?.arrayValue?[2].stringValue == "x")
        #expect(value["a"]?.arrayValue?[3].boolValue == true)
        #expect(value["a"]?.arrayValue?[4].isNull == true)
        #expect(value["n"]?.isNull == true)
        #expect(value["absent"] == nil)
        #expect(value["a"]?["b"] == nil)
        #expect(value.objectValue?.keys == ["a", "n"])
        #expect(value.stringValue == nil && value.boolValue == nil && value.arrayValue == nil)
    }
}
