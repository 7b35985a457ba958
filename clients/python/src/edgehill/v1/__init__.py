"""All messages, enums and values of `edgehill.v1`. The comments of proto/edgehill/v1 say what they mean."""

from edgehill.v1.account_watch_pb2 import *
from edgehill.v1.action_pb2 import *
from edgehill.v1.adjournment_pb2 import *
from edgehill.v1.admin_service_pb2 import *
from edgehill.v1.catalog_service_pb2 import *
from edgehill.v1.clock_pb2 import *
from edgehill.v1.competition_pb2 import *
from edgehill.v1.competition_service_pb2 import *
from edgehill.v1.conduct_pb2 import *
from edgehill.v1.event_pb2 import *
from edgehill.v1.game_pb2 import *
from edgehill.v1.ledger_pb2 import *
from edgehill.v1.match_pb2 import *
from edgehill.v1.match_service_pb2 import *
from edgehill.v1.play_pb2 import *
from edgehill.v1.receipt_pb2 import *
from edgehill.v1.referee_act_pb2 import *
from edgehill.v1.referee_service_pb2 import *
from edgehill.v1.reference_pb2 import *
from edgehill.v1.refusal_pb2 import *
from edgehill.v1.seat_update_pb2 import *
from edgehill.v1.seek_pb2 import *
from edgehill.v1.spectator_delay_pb2 import *
from edgehill.v1.standing_pass_pb2 import *
from edgehill.v1.view_pb2 import *
