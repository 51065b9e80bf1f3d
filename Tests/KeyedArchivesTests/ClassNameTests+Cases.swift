// The names for the tests of ClassName.

import TestSupport

enum ClassNameCases {
  struct Name: Sendable {
    let stored: String
    let display: String

    init(_ stored: String, _ display: String) {
      self.stored = stored
      self.display = display
    }
  }

  struct Path: Sendable {
    let stored: String
    let components: [String]
    let plain: [String]
    let module: String?

    init(_ stored: String, _ components: [String], plain: [String]? = nil, module: String?) {
      self.stored = stored
      self.components = components
      self.plain = plain ?? components
      self.module = module
    }
  }

  struct Match: Sendable {
    let pattern: String
    let stored: String
    let isExpected: Bool

    init(_ pattern: String, _ stored: String, _ isExpected: Bool) {
      self.pattern = pattern
      self.stored = stored
      self.isExpected = isExpected
    }
  }

  /// Most of the stored names are those that the compiler gave to classes of a module Demo; the rest
  /// exercise the grammar.
  static let understood: [Name] = [
    // Nested in structures, enumerations and classes.
    Name("_TtC3App5Movie", "App.Movie"),
    Name("_TtCV3App5Movie10MovieClass", "App.Movie.MovieClass"),
    Name("_TtCVC4Demo3Top1S1C", "Demo.Top.S.C"),
    Name("_TtCOVC4Demo3Top1S1E1D", "Demo.Top.S.E.D"),
    Name("_TtCC4Demo3Top5Inner", "Demo.Top.Inner"),
    Name("_TtV4Demo4Hold", "Demo.Hold"),
    Name("_TtOVC4Demo3Top1S1E", "Demo.Top.S.E"),
    Name("_TtCs12_SwiftObject", "Swift._SwiftObject"),
    Name("_TtVs3Set", "Swift.Set"),
    Name("_TtCSo8NSObject", "__C.NSObject"),
    Name("_TtCSC3Foo", "__C_Synthesized.Foo"),
    Name("_TtSi", "Swift.Int"),
    Name("_TtSS", "Swift.String"),
    Name("_TtSc", "Swift.UnicodeScalar"),
    Name("_TtC04Demo1A", "Demo.A"),
    // Protocols, as types and as contexts.
    Name("_TtP4Demo5Proto_", "Demo.Proto"),
    Name("_TtP4Demo5ProtoS_6Other2_", "Demo.Proto & Demo.Other2"),
    Name("_TtP_", "Any"),
    Name("_TtPs9AnyObject_", "Swift.AnyObject"),
    Name("_TtCP4Demo5Proto5Inner", "Demo.Proto.Inner"),
    Name("_TtPMP_", "Any.Type"),
    Name("_TtPMP4Demo1AS0__", "Demo.A & Demo.A.Type"),
    Name("_TtMP4Demo1AS_1B_", "(Demo.A & Demo.B).Protocol"),
    Name("_TtMPMP_", "Any.Type.Protocol"),
    // Private to a file.
    Name(
      "_TtC4DemoP33_62308AF786794916EB4760DBCC14E1964Priv",
      "Demo.(Priv in _62308AF786794916EB4760DBCC14E196)"),
    Name(
      "_TtCC4DemoP33_62308AF786794916EB4760DBCC14E1964Priv2In",
      "Demo.(Priv in _62308AF786794916EB4760DBCC14E196).In"),
    Name(
      "_TtCV4Demo4HoldP33_62308AF786794916EB4760DBCC14E1961P",
      "Demo.Hold.(P in _62308AF786794916EB4760DBCC14E196)"),
    Name(
      "_TtCVV4Demo4HoldP33_62308AF786794916EB4760DBCC14E1961Q1R",
      "Demo.Hold.(Q in _62308AF786794916EB4760DBCC14E196).R"),
    Name(
      "_TtGCV4Demo1SP33_62308AF786794916EB4760DBCC14E1963Gen_Si_",
      "Demo.S.(Gen in _62308AF786794916EB4760DBCC14E196)<Swift.Int>"),
    // In extensions of another module's types.
    Name("_TtCE4DemoV5Other5Movie10MovieClass", "(extension in Demo):Other.Movie.MovieClass"),
    Name("_TtCE4DemoSS3Ext", "(extension in Demo):Swift.String.Ext"),
    Name("_TtCVE4DemoSa2SA1X", "(extension in Demo):Swift.Array.SA.X"),
    Name("_TtGCE4DemoSa7InArraySi_", "(extension in Demo):Swift.Array.InArray<Swift.Int>"),
    Name(
      "_TtCVE4DemoVE3FooV5Other5Movie1A1B1C",
      "(extension in Demo):(extension in Foo):Other.Movie.A.B.C"),
    // Generic.
    Name("_TtGC4Demo3GenSi_", "Demo.Gen<Swift.Int>"),
    Name("_TtGC4Demo3TwoSSSi_", "Demo.Two<Swift.String, Swift.Int>"),
    Name("_TtGC4Demo3GenGS0_GS0_Si___", "Demo.Gen<Demo.Gen<Demo.Gen<Swift.Int>>>"),
    Name("_TtGC4Demo3GenCS_5Movie_", "Demo.Gen<Demo.Movie>"),
    Name("_TtGC4Demo3GenCS_1AS1__", "Demo.Gen<Demo.A, Demo.A>"),
    Name("_TtGCC4Demo3Gen5InnerSi_SS_", "Demo.Gen<Swift.Int>.Inner<Swift.String>"),
    Name("_TtGCC4Demo3Gen5Inner_SS_", "Demo.Gen.Inner<Swift.String>"),
    Name("_TtCGC4Demo3GenSi_5Inner", "Demo.Gen<Swift.Int>.Inner"),
    Name(
      "_TtGCVE4DemoGC5Other3GenSi_5Inner1BSi__",
      "(extension in Demo):Other.Gen<Swift.Int>.Inner<Swift.Int>.B"),
    Name("_TtGC4Demo3Gen_", "Demo.Gen"),
    Name("_TtGC4Demo3GenPs9AnyObject__", "Demo.Gen<Swift.AnyObject>"),
    Name("_TtGC4Demo3GenMSi_", "Demo.Gen<Swift.Int.Type>"),
    Name("_TtGC4Demo3GenTSiSS__", "Demo.Gen<(Swift.Int, Swift.String)>"),
    Name("_TtGC4Demo3GenT1aSi1bSS__", "Demo.Gen<(a: Swift.Int, b: Swift.String)>"),
    Name("_TtGC4Demo3GenRSi_", "Demo.Gen<inout Swift.Int>"),
    // Generic types of the library that have a spelling of their own.
    Name("_TtGC4Demo3GenGSaSi__", "Demo.Gen<[Swift.Int]>"),
    Name("_TtGC4Demo3GenGVs10DictionarySSSi__", "Demo.Gen<[Swift.String : Swift.Int]>"),
    Name(
      "_TtGC4Demo3GenGCs10DictionarySSSi__",
      "Demo.Gen<Swift.Dictionary<Swift.String, Swift.Int>>"),
    Name("_TtGSqGSqSi__", "Swift.Int??"),
    Name("_TtGSQSi_", "Swift.Int!"),
    Name("_TtGSqFT_T__", "(() -> ())?"),
    Name("_TtGSqP4Demo1AS_1B__", "(Demo.A & Demo.B)?"),
    Name("_TtGSqMSi_", "Swift.Int.Type?"),
    Name("_TtMGSqSi_", "Swift.Int?.Type"),
    Name("_TtMFT_T_", "(() -> ()).Type"),
    Name("_TtGVs3SetSS_", "Swift.Set<Swift.String>"),
    // Functions as generic arguments.
    Name("_TtGC4Demo3GenFSiSS_", "Demo.Gen<(Swift.Int) -> Swift.String>"),
    Name("_TtGC4Demo3GenFTSiSi_SS_", "Demo.Gen<(Swift.Int, Swift.Int) -> Swift.String>"),
    Name("_TtFTFT_T__T_", "(() -> ()) -> ()"),
    Name("_TtFFT_T_T_", "(() -> ()) -> ()"),
    Name("_TtFSiFSiSi", "(Swift.Int) -> (Swift.Int) -> Swift.Int"),
    Name("_TtFzT_T_", "() throws -> ()"),
    Name("_TtFZT_T_", "() async -> ()"),
    Name("_TtFzZT_T_", "() async throws -> ()"),
    Name("_TtFzyT_T_", "@Sendable () throws -> ()"),
    Name("_TtFyZT_T_", "() async -> ()"),
    Name("_TtbzSiT_", "@convention(block) (Swift.Int) throws -> ()"),
    Name("_TtcT_T_", "@convention(c) () -> ()"),
    Name("_TtKT_T_", "@autoclosure () -> ()"),
    Name("_TtfRSiT_", "(inout Swift.Int) -> ()"),
    // Local to functions, methods, accessors and closures.
    Name("_TtCF4Demo3fooFT_T_L_5Local", "Local #1 in Demo.foo() -> ()"),
    Name("_TtCF4Demo3fooFT_T_L0_5Local", "Local #2 in Demo.foo() -> ()"),
    Name("_TtCCF4Demo3fooFT_PMP_L_5Local4Deep", "Deep in Local #1 in Demo.foo() -> Any.Type"),
    Name("_TtCCCF4Demo1fFT_T_L_1A1B1C", "B.C in A #1 in Demo.f() -> ()"),
    Name(
      "_TtCF4Demo4foo2FzTSi5labelGSaSS_1cGSqSi__PMP_L_5Local",
      "Local #1 in Demo.foo2(Swift.Int, label: [Swift.String], c: Swift.Int?) throws -> Any.Type"),
    Name(
      "_TtCF4Demo4fooAFZT1fFSiT_1gFzRSSTSiSb__PMP_L_5Local",
      "Local #1 in Demo.fooA(f: (Swift.Int) -> (), g: (inout Swift.String) throws -> "
        + "(Swift.Int, Swift.Bool)) async -> Any.Type"),
    Name(
      "_TtCF4DemoP33_62308AF786794916EB4760DBCC14E1962pfFT_T_L_2NL",
      "NL #1 in Demo.(pf in _62308AF786794916EB4760DBCC14E196)() -> ()"),
    Name(
      "_TtCFC4Demo4Meth2mmFT1aTSiSS_1bGVs10DictionarySSGSqSi__1pPs9Equatable_1tMSi_T_L_1L",
      "L #1 in Demo.Meth.mm(a: (Swift.Int, Swift.String), b: [Swift.String : Swift.Int?], "
        + "p: Swift.Equatable, t: Swift.Int.Type) -> ()"),
    Name("_TtCFC4Demo4MethcFT_S0_L_1L", "L #1 in Demo.Meth.init() -> Demo.Meth"),
    Name("_TtCFC4Demo4MethCFT_S0_L_1L", "L #1 in Demo.Meth.__allocating_init() -> Demo.Meth"),
    Name("_TtCFV4Demo1SCFT_S0_L_1L", "L #1 in Demo.S.init() -> Demo.S"),
    Name("_TtCFC4Demo4MethdL_1L", "L #1 in Demo.Meth.deinit"),
    Name("_TtCFC4Demo4MethDL_1L", "L #1 in Demo.Meth.__deallocating_deinit"),
    Name("_TtCFC4Demo4Methg4propPMP_L_1L", "L #1 in Demo.Meth.prop.getter : Any.Type"),
    Name(
      "_TtCFC4Demo4Methg9subscriptFSiPMP_L_1L",
      "L #1 in Demo.Meth.subscript.getter : (Swift.Int) -> Any.Type"),
    Name(
      "_TtCFC4Demo4Meths9subscriptFSiPMP_L_1M",
      "M #1 in Demo.Meth.subscript.setter : (Swift.Int) -> Any.Type"),
    Name("_TtCFC4Demo4Methw4propSiL_1L", "L #1 in Demo.Meth.prop.willset : Swift.Int"),
    Name("_TtCFC4Demo4MethW4propSiL_1L", "L #1 in Demo.Meth.prop.didset : Swift.Int"),
    Name("_TtCFC4Demo4Methm4propSiL_1L", "L #1 in Demo.Meth.prop.materializeForSet : Swift.Int"),
    Name(
      "_TtCFF4Demo6nestedFT_T_L_5innerFT_T_L_2NL",
      "NL #1 in inner #1 () -> () in Demo.nested() -> ()"),
    Name("_TtCFF4Demo1fFT_T_gL_1pSiL_1L", "L #1 in getter of p #1 : Swift.Int in Demo.f() -> ()"),
    Name(
      "_TtCFFC4Demo4Methg2clPMP_U_FT_PMP_L_9InClosure",
      "InClosure #1 in closure #1 () -> Any.Type in Demo.Meth.cl.getter : Any.Type"),
    Name("_TtCFC4Demo1Su_FT_T_L_1L", "L #1 in implicit closure #1 () -> () in Demo.S"),
    Name("_TtCFC4Demo1SU0_SiL_1L", "L #1 in closure #2 : Swift.Int in Demo.S"),
    Name(
      "_TtCFIF4Demo3defFT1xPMP__T_A_U_FT_PMP_L_1D",
      "D #1 in closure #1 () -> Any.Type in default argument 0 of Demo.def(x: Any.Type) -> ()"),
    Name("_TtCIF4Demo1fSiA0_L_1L", "L #1 in default argument 1 of Demo.f : Swift.Int"),
    Name(
      "_TtCFIv4Demo4globPMP_iU_FT_PMP_L_1D",
      "D #1 in closure #1 () -> Any.Type in variable initialization expression of "
        + "Demo.glob : Any.Type"),
    Name(
      "_TtCZFC4Demo4Meth1sFT1xSi_PMP_L0_1L",
      "L #2 in static Demo.Meth.s(x: Swift.Int) -> Any.Type"),
    Name("_TtCZvC4Demo1S1fSiL_1L", "L #1 in static Demo.S.f : Swift.Int"),
    Name("_TtCFE3ExtV4Demo1S1fFT_T_L_1L", "L #1 in (extension in Ext):Demo.S.f() -> ()"),
    Name("_TtCF4Demo1fbT_T_L_1L", "L #1 in Demo.f : @convention(block) () -> ()"),
    Name("_TtCF4Demo1fcT_T_L_1L", "L #1 in Demo.f @convention(c) () -> ()"),
    Name("_TtCF4Demo1fKT_T_L_1L", "L #1 in Demo.f : @autoclosure () -> ()"),
    Name("_TtGCF4Demo3fooFT_T_L_3GenSi_", "Gen #1 in Demo.foo() -> ()<Swift.Int>"),
    Name("_TtGC4Demo3GenGSqCF4Demo1fFT_T_L_1L__", "Demo.Gen<L #1 in Demo.f() -> ()?>"),
    Name("_TtC4DemoL_5Local", "Local #1 in Demo"),
    // Beyond ASCII, as UTF-8 and as Punycode.
    Name("_TtC4Demo15café_movie2URL", "Demo.café_movie2URL"),
    Name("_TtCC4Demo5Café9🎬Movie", "Demo.Café.🎬Movie"),
    Name("_TtCC4Demo5Café6日本", "Demo.Café.日本"),
    Name("_TtC4DemoX7Caf_dma", "Demo.Café"),
    Name("_TtCX7Caf_dma4Test", "Café.Test"),
    Name("_TtC4DemoX9Gre_GkaIi", "Demo.Größe"),
    Name("_TtC4DemoX6wgvHBa", "Demo.日本"),
    Name("_TtC4DemoX11Movie_sFJDd", "Demo.🎬Movie"),
    Name("_TtCX4abc_1A", "abc.A"),
    // The new mangling.
    Name("$s4Demo5MovieV0B5ClassC", "Demo.Movie.MovieClass"),
    Name("_$s4Demo5MovieV0B5ClassC", "Demo.Movie.MovieClass"),
    Name("$S4Demo5MovieV0B5ClassC", "Demo.Movie.MovieClass"),
    Name("_$S4Demo5MovieV0B5ClassC", "Demo.Movie.MovieClass"),
    Name("$s4Demo5MovieV0B5ClassCD", "Demo.Movie.MovieClass"),
    Name("$s4Demo3TopC1SV1EO1DC", "Demo.Top.S.E.D"),
    Name("$s4Demo5ProtoP", "Demo.Proto"),
    Name("$s9MovieDemo0A4ViewV0aC5ModelC", "MovieDemo.MovieView.MovieViewModel"),
    Name("$s9MovieDemo0A4ViewV0aC0C", "MovieDemo.MovieView.MovieView"),
    Name("$s4Demo1AC05Movie3FooA0V", "Demo.A.MovieFooDemo"),
    Name("$sSo8NSObjectC", "__C.NSObject"),
    Name("$ss5ArrayV", "Swift.Array"),
    Name("$sSh", "Swift.Set"),
    Name("$sSS4DemoE3ExtC", "(extension in Demo):Swift.String.Ext"),
    Name("$sSa4DemoE2SAV1XC", "(extension in Demo):Swift.Array.SA.X"),
    Name(
      "$s4Demo4Priv33_62308AF786794916EB4760DBCC14E196LLC2InC",
      "Demo.(Priv in _62308AF786794916EB4760DBCC14E196).In"),
    Name(
      "$s4Demo4HoldV1Q33_62308AF786794916EB4760DBCC14E196LLV1RC",
      "Demo.Hold.(Q in _62308AF786794916EB4760DBCC14E196).R"),
    Name("$s4Demo3GenCySiG", "Demo.Gen<Swift.Int>"),
    Name("$s4Demo3GenCyG", "Demo.Gen"),
    Name("$s4Demo3GenCySiSgG", "Demo.Gen<Swift.Int?>"),
    Name("$s4Demo3GenC5InnerCySi_SSG", "Demo.Gen<Swift.Int>.Inner<Swift.String>"),
    Name("$s4Demo3GenCyACySiGG", "Demo.Gen<Demo.Gen<Swift.Int>>"),
    Name("$s4Demo3TwoCyS2iG", "Demo.Two<Swift.Int, Swift.Int>"),
    Name("$s4Demo3TwoCyAA3GenCAEG", "Demo.Two<Demo.Gen, Demo.Gen>"),
    Name("$s4Demo3GenCySDySSSiGG", "Demo.Gen<[Swift.String : Swift.Int]>"),
    Name("$sSa4DemoE7InArrayCySi_G", "(extension in Demo):[Swift.Int].InArray"),
    Name("$sSa4DemoE7InArrayCySi_SSG", "(extension in Demo):[Swift.Int].InArray<Swift.String>"),
    Name("$sSiSgSg", "Swift.Int??"),
    Name("$ss5ArrayOySiG", "Swift.Array<Swift.Int>"),
    Name("$s4Demo007Caf_dmaC009Gre_GkaIiC", "Demo.Café.Größe"),
    Name("$s4Demo007Caf_dmaC0011Movie_sFJDdC", "Demo.Café.🎬Movie"),
    Name("$s4Demo0017caf_movie2URL_dhbC13MovieURLClassC", "Demo.café_movie2URL.MovieURLClass"),
  ]

  /// Names that are not mangled, and mangled ones that are damaged or say what is not read.
  static let notUnderstood: [String] = [
    "", "NSDate", "App.Movie", "__lldb_expr_11.Inswave", "_", "_T", "_Tt", "$", "$s", "_$s", "$S",
    "_TtC", "_TtC3App", "_TtC3App0", "_TtC3App9Movie", "_TtC3App5Moviesuffix", "_TtCV3App5Movie",
    "_TtC3AppX0_", "_TtC3AppX1é", "_TtC4Dem€1A", "_TtC4Café1A", "_TtC3App4é1", "_TtCSs5Array",
    "_TtC4DemoX11Mové_sFJDd", "_TtC4DemoX4é_a", "$s4Demo0011Mové_sFJDdC",
    "_TtGSiSi", "_TtGC4Demo3Gen", "_TtGC4Demo3GenS__", "_TtGGC4Demo3GenSi_Si_", "_TtGP4Demo1A_Si_",
    "_TtGC4Demo3GenCS_1AS2__", "_TtS_", "_TtPS_5Proto_", "_TtFSi", "_TtTSi", "_TtFZzT_T_", "_TtZ",
    "_TtCI4Demo1fSiL_1L", "_TtCFC4Demo4Methg4propSi1L", "_TtCF4Demo1fFT_T_1L", "_TtC4Demooi2ab",
    "$s4Demo", "$s4Demo5Movie", "$s4Demo5MovieV5Class", "$s4Demo5MovieV0C5ClassC", "$sAA", "$sy",
    "$s4Demo5MovieV0b5ClassC", "$s4Demo3GenCSiG", "$sSg", "$s4Demo5MovieVN",
    "$s4DemoLLC", "$s4Demo000", "$s4Demo0007Caf_dmaC", "$s4Demo00_C", "$s4Demo3GenCA9999aC",
    "$s4Demo3fooyyF5LocalL_C", "_TtCe4DemoRxs8HashablerSq2HC",
  ]

  static let paths: [Path] = [
    Path("NSDate", ["NSDate"], module: nil),
    Path("", [""], module: nil),
    Path("App.Movie", ["App", "Movie"], module: "App"),
    Path("App.Gen<App.Movie>.Inner", ["App", "Gen<App.Movie>", "Inner"], module: "App"),
    Path("App.Gen<() -> App.A>.Inner", ["App", "Gen<() -> App.A>", "Inner"], module: "App"),
    Path("App..Movie", ["App..Movie"], module: nil),
    Path(".Movie", [".Movie"], module: nil),
    Path("App.", ["App."], module: nil),
    Path("App.Gen<", ["App.Gen<"], module: nil),
    Path("App>.<Gen", ["App>.<Gen"], module: nil),
    Path("_TtCV3App5Movie10MovieClass", ["App", "Movie", "MovieClass"], module: "App"),
    Path("$s4Demo5MovieV0B5ClassC", ["Demo", "Movie", "MovieClass"], module: "Demo"),
    Path(
      "_TtCV3App5MovieP33_62308AF786794916EB4760DBCC14E19610MovieClass",
      ["App", "Movie", "(MovieClass in _62308AF786794916EB4760DBCC14E196)"],
      plain: ["App", "Movie", "MovieClass"], module: "App"),
    Path(
      "$s4Demo4Priv33_62308AF786794916EB4760DBCC14E196LLC2InC",
      ["Demo", "(Priv in _62308AF786794916EB4760DBCC14E196)", "In"],
      plain: ["Demo", "Priv", "In"], module: "Demo"),
    Path(
      "_TtCE4DemoV5Other5Movie10MovieClass",
      ["(extension in Demo):Other", "Movie", "MovieClass"],
      plain: ["Other", "Movie", "MovieClass"], module: "Other"),
    Path(
      "_TtCCF4Demo3fooFT_T_L0_5Local4Deep", ["Demo", "foo", "Local #2", "Deep"],
      plain: ["Demo", "foo", "Local", "Deep"], module: "Demo"),
    Path(
      "_TtCFC4Demo4Methg4propSiL_1L", ["Demo", "Meth", "prop", "L #1"],
      plain: ["Demo", "Meth", "prop", "L"], module: "Demo"),
    Path(
      "_TtCFF4Demo3fooFT_T_U0_FT_T_L_1L", ["Demo", "foo", "closure #2", "L #1"],
      plain: ["Demo", "foo", "closure #2", "L"], module: "Demo"),
    Path(
      "_TtGCC4Demo3Gen5InnerSi_SS_", ["Demo", "Gen<Swift.Int>", "Inner<Swift.String>"],
      module: "Demo"),
    Path(
      "_TtGC4Demo3GenCS_P33_62308AF786794916EB4760DBCC14E1961P_",
      ["Demo", "Gen<Demo.(P in _62308AF786794916EB4760DBCC14E196)>"],
      plain: ["Demo", "Gen<Demo.P>"], module: "Demo"),
    Path("_TtP4Demo5Proto_", ["Demo", "Proto"], module: "Demo"),
    Path("_TtGSaSi_", ["Swift", "Array<Swift.Int>"], module: "Swift"),
    Path("_TtTSiSS_", ["(Swift.Int, Swift.String)"], module: nil),
    Path("_TtC3App9Movie", ["_TtC3App9Movie"], module: nil),
  ]

  static let patterns: [Match] = {
    let nested = "_TtCV3App5Movie10MovieClass"
    let hidden = "_TtCV3App5MovieP33_62308AF786794916EB4760DBCC14E19610MovieClass"
    let extended = "_TtCE4DemoV5Other5Movie10MovieClass"
    return [
      Match("MovieClass", "MovieClass", true),
      Match("MovieClass", "App.MovieClass", false),
      Match("MovieClass", nested, false),
      Match("*MovieClass", nested, true),
      Match("*.MovieClass", nested, true),
      Match("*.MovieClass", "__lldb_expr_11.MovieClass", true),
      Match("*.MovieClass", "MovieClass", false),
      Match("*.Movie.MovieClass", nested, true),
      Match("*.Movie.MovieClass", "App.MovieClass", false),
      Match("App.*", nested, true),
      Match("App.*", "Apple.Movie", false),
      Match("App.*.MovieClass", nested, true),
      Match("A*p.M*e.*C*s", nested, true),
      Match("A*p.M*x.*C*s", nested, false),
      Match("App.Movie.MovieClass", nested, true),
      Match("app.movie.movieclass", nested, false),
      Match("App.Movie", nested, false),
      Match("Movie.MovieClass", nested, false),
      Match(nested, nested, true),
      Match("_TtC*MovieClass", nested, true),
      Match("App.Movie.MovieClass", hidden, true),
      Match("*.MovieClass", hidden, true),
      Match("*(MovieClass in _62308AF786794916EB4760DBCC14E196)", hidden, true),
      Match("Other.Movie.MovieClass", extended, true),
      Match("(extension in Demo):*", extended, true),
      Match("Demo.Gen<*>", "_TtGC4Demo3GenSi_", true),
      Match("Demo.Gen", "_TtGC4Demo3GenSi_", false),
      Match("[Swift.Int]", "_TtGSaSi_", true),
      Match("Demo.foo.Local", "_TtCF4Demo3fooFT_T_L_5Local", true),
      Match("*.Größe", "_TtC4DemoX9Gre_GkaIi", true),
      Match("*", "", true),
      Match("**", nested, true),
      Match("", "", true),
      Match("", "NSDate", false),
      Match("NS?ate", "NSDate", false),
    ]
  }()

  /// Each name of the table, cut short after each of its characters.
  static var prefixes: [String] {
    understood.flatMap { name in
      (1...name.stored.count).map { String(name.stored.prefix($0)) }
    }
  }

  /// A generic type whose two arguments are the same type, level upon level.
  static func doubledNewName(levels: Int) -> String {
    var name = "S2i"
    for level in 0..<levels {
      // The types before it in the name: Demo, Two and Demo.Two take the first three letters.
      let index = level + 3
      let scalar = Unicode.Scalar(UInt8(65 + min(index, 25)))
      let reference = index < 26 ? "A\(scalar)" : index == 26 ? "A_" : "A\(index - 27)_"
      name = "ACy\(name)G\(level == levels - 1 ? "" : reference)"
    }
    return "$s4Demo3TwoC" + name.dropFirst(2)
  }
}

/// Damages names of the table in the same way for the same seed.
struct NameMutator {
  private var numbers: SeededNumbers

  init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

  /// Pieces of the grammars, so that damaged names often still say something.
  private static let pieces: [String] = [
    "_", "S_", "S0_", "S1_", "Si", "SS", "GC4Demo3Gen", "C", "V", "O", "P", "E4Demo", "F", "FT_T_",
    "T", "L_", "L0_", "Z", "U_", "X7Caf_dma", "4Demo", "3Gen", "M", "PM", "R", "G", "y", "LL", "A",
    "AA", "AC", "Sg", "S2i", "0A", "0aB0", "00", "s", "So", "D", "5Movie", "g", "c", "d", "i", "v",
    "I", "b", "z", "K", "99999", "é", "\u{7F}",
  ]

  /// A name of the table with one to four changes behind its prefix.
  mutating func mutatedName() -> String {
    var name = Array(ClassNameCases.understood[below(ClassNameCases.understood.count)].stored)
    for _ in 0...below(4) {
      let position = min(2 + below(name.count), name.count)
      let end = min(position + below(8), name.count)
      switch below(4) {
      case 0: name.insert(contentsOf: Self.pieces[below(Self.pieces.count)], at: position)
      case 1: name.removeSubrange(position..<end)
      case 2: name.replaceSubrange(position..<end, with: Self.pieces[below(Self.pieces.count)])
      default: name.insert(contentsOf: name[position..<end], at: 2 + below(name.count - 2))
      }
    }
    return String(name)
  }

  private mutating func below(_ bound: Int) -> Int { numbers.below(bound) }
}
