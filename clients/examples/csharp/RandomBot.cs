using System.Security.Cryptography;
using Edgehill.V1;
using Google.Protobuf;
using Grpc.Core;

/// <summary>Plays matches with random actions, each over a PlaySeats stream.</summary>
internal sealed class RandomBot(ChannelBase channel)
{
    private readonly CatalogService.CatalogServiceClient catalog = new(channel);
    private readonly MatchService.MatchServiceClient matches = new(channel);

    /// <summary>Plays a match of a game to its end.</summary>
    public async Task<MatchResult> PlayAsync(string game)
    {
        using var stream = matches.PlaySeats();
        var open = new PlaySeatsRequest.Types.Open { SeatToken = await TakeSeatAsync(game), OmitEvents = true };
        await stream.RequestStream.WriteAsync(new PlaySeatsRequest { Open = open });
        var result = new MatchResult();
        var sent = 0;
        await foreach (var message in stream.ResponseStream.ReadAllAsync())
        {
            if ((message.Refusal ?? message.Closed?.Refusal) is { } refusal)
                throw new InvalidOperationException($"{refusal.Reason}: {refusal.Message}");
            if (message.Closed is not null)
                break;
            result = message.Update?.State?.Result ?? result;
            if (message.Update?.LegalActions is { } legal)
                await stream.RequestStream.WriteAsync(new PlaySeatsRequest { RequestId = $"{++sent}", Apply = AnyOf(legal.Ids) });
        }
        return result;
    }

    /// <summary>Makes a match and takes its first seat; the house bot `random` has the others.</summary>
    private async Task<string> TakeSeatAsync(string game)
    {
        var found = await catalog.GetGameAsync(new GetGameRequest { Game = game });
        var secret = ByteString.CopyFrom(RandomNumberGenerator.GetBytes(32)); // it makes request ids this bot's own
        var create = new CreateMatchRequest { RequestId = "create", ClientSecret = secret, Game = game };
        create.Seats.Add(new SeatConfig { Kind = SeatKind.Open });
        for (var seat = 1; seat < found.Game.Scenarios[0].Seats; seat++)
            create.Seats.Add(new SeatConfig { Kind = SeatKind.HouseBot, Bot = "random" });
        var created = await matches.CreateMatchAsync(create);
        var join = new JoinMatchRequest { RequestId = "join", ClientSecret = secret, MatchId = created.Match.Config.MatchId };
        return (await matches.JoinMatchAsync(join)).SeatToken;
    }

    private static ActionBatch AnyOf(IList<uint> ids)
    {
        var chosen = new ActionList.Types.Ids { Values = { ids[Random.Shared.Next(ids.Count)] } };
        return new ActionBatch { Actions = new ActionList { Ids = chosen } };
    }
}
