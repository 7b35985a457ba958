//! `AdminService`, call by call.

use edgehill_proto::v1;
use edgehill_proto::v1::admin_service_server::AdminService;
use tonic::{Request, Response, Status};

use super::Admin;
use crate::api::match_service::Sent;
use crate::identity::CallerKey;

#[tonic::async_trait]
impl AdminService for Admin {
    type ExportAccountDataStream = Sent<v1::ExportAccountDataResponse>;

    async fn create_account(
        &self,
        request: Request<v1::CreateAccountRequest>,
    ) -> Result<Response<v1::CreateAccountResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_create(&metadata, message).await?))
    }

    async fn get_account(
        &self,
        request: Request<v1::GetAccountRequest>,
    ) -> Result<Response<v1::GetAccountResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_get(&metadata, &message)?))
    }

    async fn list_accounts(
        &self,
        request: Request<v1::ListAccountsRequest>,
    ) -> Result<Response<v1::ListAccountsResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_list(&metadata, &message)?))
    }

    async fn update_account(
        &self,
        request: Request<v1::UpdateAccountRequest>,
    ) -> Result<Response<v1::UpdateAccountResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_update(&metadata, message).await?))
    }

    async fn delete_account(
        &self,
        request: Request<v1::DeleteAccountRequest>,
    ) -> Result<Response<v1::DeleteAccountResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_delete(&metadata, message).await?))
    }

    async fn create_account_key(
        &self,
        request: Request<v1::CreateAccountKeyRequest>,
    ) -> Result<Response<v1::CreateAccountKeyResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_create_key(&metadata, message).await?))
    }

    async fn rotate_account_key(
        &self,
        request: Request<v1::RotateAccountKeyRequest>,
    ) -> Result<Response<v1::RotateAccountKeyResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_rotate_key(&metadata, message).await?))
    }

    async fn revoke_account_key(
        &self,
        request: Request<v1::RevokeAccountKeyRequest>,
    ) -> Result<Response<v1::RevokeAccountKeyResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_revoke_key(&metadata, message).await?))
    }

    async fn set_account_quota(
        &self,
        request: Request<v1::SetAccountQuotaRequest>,
    ) -> Result<Response<v1::SetAccountQuotaResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_set_quota(&metadata, message).await?))
    }

    async fn list_acts(
        &self,
        request: Request<v1::ListActsRequest>,
    ) -> Result<Response<v1::ListActsResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_list_acts(&metadata, message).await?))
    }

    async fn erase_account_data(
        &self,
        request: Request<v1::EraseAccountDataRequest>,
    ) -> Result<Response<v1::EraseAccountDataResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        Ok(Response::new(self.answer_erase(&metadata, message).await?))
    }

    async fn export_account_data(
        &self,
        request: Request<v1::ExportAccountDataRequest>,
    ) -> Result<Response<Self::ExportAccountDataStream>, Status> {
        let (metadata, extensions, message) = request.into_parts();
        let caller = CallerKey::of_call(&extensions);
        Ok(Response::new(Box::pin(self.answer_export(&metadata, caller, &message)?)))
    }
}
